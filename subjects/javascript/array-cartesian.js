const product = (...lists) =>
  lists.reduce((rows, list) => rows.flatMap ? rows.flatMap(row => list.map(item => [...row, item])) : rows, [[]]);
const menu = product(['tea', 'milk'], ['hot', 'cold']);
for (const [drink, kind] of menu) {
  console.log(kind, drink);
}
