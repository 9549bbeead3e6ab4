function zip(...lists) {
  const shortest = Math.min(...lists.map(list => list.length));
  const rows = [];
  for (let i = 0; i < shortest; i++) {
    rows.push(lists.map(list => list[i]));
  }
  return rows;
}

for (const [letter, number] of zip(['a', 'b', 'c'], [1, 2])) {
  console.log(letter + number);
}
