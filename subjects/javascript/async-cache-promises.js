const cache = new Map();
let loads = 0;
function load(key) {
  if (!cache.has(key)) {
    loads++;
    cache.set(key, Promise.resolve(key.toUpperCase()));
  }
  return cache.get(key);
}
(async () => {
  const [a, b, c] = await Promise.all([load('x'), load('y'), load('x')]);
  console.log(a + b + c, loads);
})();
