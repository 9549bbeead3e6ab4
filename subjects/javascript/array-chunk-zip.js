function chunk(list, size) {
  if (list.length === 0) return [];
  return [list.slice(0, size), ...chunk(list.slice(size), size)];
}
const rows = chunk([1, 2, 3, 4, 5], 2);
console.log(rows.length, rows.map(r => r.length).join(''));
