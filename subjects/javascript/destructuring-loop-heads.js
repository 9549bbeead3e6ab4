const points = [{ x: 1, y: 2 }, { x: 3, y: 4 }];
let area = 0;
for (const { x, y } of points) {
  area += x * y;
}
for (const [key, { length }] of Object.entries({ a: 'xyz', b: 'w' })) {
  area += length;
}
console.log(area);
