// Defaults are evaluated only when needed, from left to right.
let calls = 0;
function fallback(value) {
  calls += 1;
  return value;
}

const { a = fallback(1), b = fallback(a + 1), c = fallback(b + 1) } = { b: 10 };
console.log(a, b, c, calls);
