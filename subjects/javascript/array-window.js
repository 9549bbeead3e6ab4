function windows(list, size) {
  const out = [];
  for (let end = size; end <= list.length; end++) {
    out.push(list.slice(end - size, end));
  }
  return out;
}
const rises = windows([1, 3, 2, 5], 2).filter(([a, b]) => b > a).length;
console.log(rises, windows([1, 2, 3], 3).length, windows([1], 2).length);
