function trampoline(fn) {
  return (...args) => {
    let result = fn(...args);
    while (typeof result === 'function') {
      result = result();
    }
    return result;
  };
}
const sumTo = trampoline(function go(n, total = 0) {
  return n === 0 ? total : () => go(n - 1, total + n);
});
console.log(sumTo(5), sumTo(10));
