function queens(size) {
  const found = [];
  const columns = [];
  function place(row) {
    if (row === size) {
      found.push(columns.slice());
      return;
    }
    for (let c = 0; c < size; c++) {
      const safe = columns.every((other, r) => other !== c && Math.abs(other - c) !== row - r);
      if (!safe) continue;
      columns.push(c);
      place(row + 1);
      columns.pop();
    }
  }
  place(0);
  return found;
}
const all = queens(4);
console.log(all.length, all[0].join());
