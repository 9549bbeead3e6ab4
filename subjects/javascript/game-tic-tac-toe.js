const board = ['x', 'o', 'x', 'o', 'x', 'o', 'x', '', ''];
const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
function winner(cells) {
  for (const [a, b, c] of lines) {
    if (cells[a] && cells[a] === cells[b] && cells[b] === cells[c]) {
      return { player: cells[a], line: [a, b, c] };
    }
  }
  return cells.includes('') ? null : { player: 'draw' };
}
const result = winner(board);
console.log(result.player, result.line.join());
