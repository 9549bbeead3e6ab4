function idMaker(prefix) {
  const ids = (function* () {
    let n = 0;
    while (true) {
      const reset = yield prefix + n++;
      if (reset) n = 0;
    }
  })();
  return reset => ids.next(reset).value;
}
const next = idMaker('id-');
next();
next();
console.log(next(), next(true), next());
