function valid(rows) {
  const ok = unit => new Set(unit).size === unit.length;
  for (let i = 0; i < rows.length; i++) {
    const column = rows.map(row => row[i]);
    if (!ok(rows[i]) || !ok(column)) {
      return 'wrong at ' + i;
    }
  }
  return 'fine';
}
console.log(valid([[1, 2, 3], [2, 3, 1], [3, 1, 2]]), valid([[1, 2, 3], [2, 3, 1], [3, 2, 1]]));
