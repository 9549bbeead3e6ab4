function area({ width, height = width }, unit = 'm') {
  const result = width * height;
  return result + ' ' + unit + '2';
}

function distance([x1, y1], [x2, y2]) {
  const dx = x2 - x1;
  const dy = y2 - y1;
  return Math.hypot(dx, dy);
}

console.log(area({ width: 3 }));
console.log(area({ width: 3, height: 4 }, 'cm'));
console.log(distance([0, 0], [3, 4]));
