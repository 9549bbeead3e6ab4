function* walk(limit) {
  let steps = 0;
  while (steps < limit) {
    const command = yield steps;
    if (command === 'jump') steps += 5;
    else steps += 1;
  }
  return 'arrived at ' + steps;
}
const walker = walk(6);
walker.next();
walker.next();
const state = walker.next('jump');
console.log(state.value, state.done, walker.next().done);
