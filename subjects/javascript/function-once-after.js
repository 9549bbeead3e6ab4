function once(fn) {
  let done = false, result;
  return function () {
    if (!done) {
      done = true;
      result = fn.apply(this, arguments);
    }
    return result;
  };
}
let runs = 0;
const init = once(n => { runs += n; return 'ready'; });
console.log(init(3), init(4), runs);
