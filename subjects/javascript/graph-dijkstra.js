const edges = { s: { a: 2, b: 5 }, a: { b: 1, t: 7 }, b: { t: 2 }, t: {} };
function distances(start) {
  const best = { [start]: 0 };
  const open = new Set([start]);
  while (open.size) {
    let here = null;
    for (const node of open) {
      if (here === null || best[node] < best[here]) here = node;
    }
    open.delete(here);
    for (const [next, cost] of Object.entries(edges[here])) {
      const total = best[here] + cost;
      if (!(next in best) || total < best[next]) {
        best[next] = total;
        open.add(next);
      }
    }
  }
  return best;
}
console.log(JSON.stringify(distances('s')));
