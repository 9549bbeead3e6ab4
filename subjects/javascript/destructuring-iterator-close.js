let log = '';
function source() {
  let n = 0;
  return {
    [Symbol.iterator]() { return this; },
    next() { log += 'n'; return { value: n++, done: false }; },
    return() { log += 'r'; return {}; },
  };
}
const [x, y] = source();
console.log(x, y, log);
