let x = 0, y = 0, dx = 1, dy = 0;
const path = [];
for (let length = 1; length <= 3; length++) {
  for (let side = 0; side < 2; side++) {
    for (let step = 0; step < length; step++) {
      path.push(x + ',' + y);
      x += dx;
      y += dy;
    }
    [dx, dy] = [-dy, dx];
  }
}
console.log(path.length, path[path.length - 1]);
