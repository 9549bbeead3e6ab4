const maze = ['S.#', '..#', '#.E'];
const seen = new Set();
function walk(x, y, steps) {
  const cell = (maze[y] || '')[x];
  const key = x + ',' + y;
  if (!cell || cell === '#' || seen.has(key)) return null;
  if (cell === 'E') return steps;
  seen.add(key);
  return walk(x + 1, y, steps + 1) || walk(x, y + 1, steps + 1) || walk(x - 1, y, steps + 1) || walk(x, y - 1, steps + 1);
}
console.log(walk(0, 0, 0));
