// Parameters of a generator are bound before its first step.
function* countdown({ start = 3, label: name = 'tick' } = {}) {
  while (start > 0) {
    yield name + start;
    start -= 1;
  }
}

var names = Array.from(countdown({ start: 2 }));
names.push(...countdown({ label: 'tock' }));
console.log(names);
