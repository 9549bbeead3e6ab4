// Numbers from a lazy range, summed by a loop.
function* range(from, to, step) {
  for (let n = from; n < to; n += step) {
    yield n;
  }
}

var total = 0;
for (const n of range(0, 10, 3)) {
  total += n;
}
console.log('total', total);
