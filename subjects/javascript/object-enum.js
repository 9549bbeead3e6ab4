const Color = Object.freeze({
  RED: 'red',
  GREEN: 'green',
  next(color) {
    const values = [Color.RED, Color.GREEN];
    return values[(values.indexOf(color) + 1) % values.length];
  },
});
let color = Color.RED;
const seen = [];
for (let i = 0; i < 3; i++) {
  seen.push(color);
  color = Color.next(color);
}
console.log(seen.join());
