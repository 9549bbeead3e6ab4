function unique(list) {
  return [...new Set(list)];
}
function uniqueBy(list, key) {
  const seen = new Set();
  return list.filter(item => {
    const k = key(item);
    if (seen.has(k)) return false;
    seen.add(k);
    return true;
  });
}
console.log(unique([1, 2, 1, 3]).length, uniqueBy(['ab', 'Ab', 'c'], s => s.toLowerCase()).join());
