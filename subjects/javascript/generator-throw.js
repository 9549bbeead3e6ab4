function* worker() {
  let jobs = 0;
  while (jobs < 5) {
    try {
      yield jobs;
      jobs += 1;
    } catch (problem) {
      console.log('problem', problem.message);
      jobs += 2;
    }
  }
}

var w = worker();
w.next();
w.next();
w.throw(new Error('jam'));
var last = w.next();
console.log(last.value, last.done);
