function step(cells) {
  const next = cells.map(row => row.slice());
  for (let y = 0; y < cells.length; y++) {
    for (let x = 0; x < cells[y].length; x++) {
      let around = 0;
      for (const dy of [-1, 0, 1]) {
        for (const dx of [-1, 0, 1]) {
          if ((dx || dy) && cells[y + dy] && cells[y + dy][x + dx]) around++;
        }
      }
      next[y][x] = around === 3 || (around === 2 && cells[y][x]) ? 1 : 0;
    }
  }
  return next;
}
const after = step([[0, 1, 0], [0, 1, 0], [0, 1, 0]]);
console.log(after.map(row => row.join('')).join('/'));
