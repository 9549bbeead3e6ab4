function transpose(rows) {
  return rows[0].map((_, column) => rows.map(row => row[column]));
}
function spiral(rows) {
  const out = [];
  while (rows.length) {
    out.push(...rows.shift());
    rows = rows.length ? transpose(rows).reverse() : rows;
  }
  return out;
}
console.log(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]).join(' '));
