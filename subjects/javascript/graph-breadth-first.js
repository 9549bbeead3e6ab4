const roads = {
  A: ['B', 'C'],
  B: ['D'],
  C: ['D', 'E'],
  D: ['F'],
  E: ['F'],
  F: [],
};
function shortest(from, to) {
  const queue = [[from]];
  const visited = new Set([from]);
  while (queue.length > 0) {
    const path = queue.shift();
    const here = path[path.length - 1];
    if (here === to) return path;
    for (const next of roads[here]) {
      if (!visited.has(next)) {
        visited.add(next);
        queue.push([...path, next]);
      }
    }
  }
  return null;
}
console.log(shortest('A', 'F').join('-'), shortest('F', 'A'));
