// An iterator is closed when a loop leaves early.
var closed = 0;
function open(items) {
  let index = 0;
  return {
    [Symbol.iterator]() { return this; },
    next() {
      const done = index >= items.length;
      return { done, value: done ? undefined : items[index++] };
    },
    return() {
      closed += 1;
      return {};
    },
  };
}

for (const item of open(['a', 'b', 'c'])) {
  if (item === 'b') break;
}
for (const item of open(['x'])) {
  console.log(item);
}
console.log('closed', closed);
