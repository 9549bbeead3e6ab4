function kind(a, b, c) {
  if (a + b <= c || a + c <= b || b + c <= a) return 'none';
  if (a === b && b === c) return 'equilateral';
  if (a === b || b === c || a === c) return 'isosceles';
  return 'scalene';
}
console.log([[3, 3, 3], [3, 4, 4], [3, 4, 5], [1, 1, 9]].map(t => kind(...t)).join());
