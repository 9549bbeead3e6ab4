function parse(line) {
  const cells = [];
  let cell = '';
  let quoted = false;
  for (const c of line) {
    if (c === '"') {
      quoted = !quoted;
    } else if (c === ',' && !quoted) {
      cells.push(cell);
      cell = '';
    } else {
      cell += c;
    }
  }
  cells.push(cell);
  return cells;
}
console.log(parse('1,"a,b",x').join('|'));
