function powerSet(items) {
  if (items.length === 0) return [[]];
  const [head, ...tail] = items;
  const rest = powerSet(tail);
  return rest.concat(rest.map(set => [head, ...set]));
}
console.log(powerSet(['a', 'b', 'c']).length, powerSet([1, 2]).map(s => s.join('')).join('|'));
