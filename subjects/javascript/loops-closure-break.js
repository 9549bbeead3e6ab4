const actions = [];
for (const name of ['a', 'b', 'c', 'd']) {
  if (name === 'c') break;
  actions.push(() => name.toUpperCase());
}
console.log(actions.map(action => action()).join(''));
