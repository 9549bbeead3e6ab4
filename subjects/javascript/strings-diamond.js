function diamond(size) {
  const line = n => ' '.repeat(size - n) + '*'.repeat(2 * n - 1);
  const top = [];
  for (let n = 1; n <= size; n++) top.push(line(n));
  return [...top, ...top.slice(0, -1).reverse()].join('\n');
}
console.log(diamond(2));
