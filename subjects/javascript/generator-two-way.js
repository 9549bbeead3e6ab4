// A generator that is fed by its caller.
function* averager() {
  let sum = 0;
  let count = 0;
  let value = yield;
  while (value !== undefined) {
    sum += value;
    count += 1;
    value = yield sum / count;
  }
  return count;
}

var mean = averager();
mean.next();
console.log(mean.next(10).value);
console.log(mean.next(20).value);
console.log(mean.next(60).value);
console.log(mean.next().done);
