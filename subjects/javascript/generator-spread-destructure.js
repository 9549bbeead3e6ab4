function* three() {
  yield 'x';
  yield 'y';
  yield 'z';
}
const [first, ...more] = three();
console.log(first, more.length, Math.max(...[3, 1].map(n => n * 2)), [...three(), 'w'].join(''));
