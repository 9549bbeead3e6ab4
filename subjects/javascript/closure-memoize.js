function memoize(compute) {
  const cache = new Map();
  return function (key) {
    if (!cache.has(key)) {
      cache.set(key, compute(key));
    }
    return cache.get(key);
  };
}

var work = 0;
const factorial = memoize(n => {
  work++;
  return n < 2 ? 1 : n * factorial(n - 1);
});
console.log(factorial(5), factorial(6), work);
