// Cooperative tasks take turns.
function* task(name, steps) {
  for (let i = 1; i <= steps; i++) {
    log.push(name + i);
    yield;
  }
}
var log = [];
function runAll(tasks) {
  while (tasks.length > 0) {
    const current = tasks.shift();
    if (!current.next().done) {
      tasks.push(current);
    }
  }
}
runAll([task('a', 2), task('b', 3)]);
console.log(log.join(' '));
