// A small generator of pseudo-random numbers makes the game repeatable.
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return 1 + state % 6;
  };
}
const roll = dice(7);
let rolls = 0, sum = 0;
while (sum < 20) {
  const n = roll();
  if (n === 6) continue;
  sum += n;
  rolls++;
}
console.log(rolls, sum);
