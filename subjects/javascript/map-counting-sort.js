function countingSort(list, limit) {
  const counts = new Array(limit + 1).fill(0);
  for (const n of list) counts[n]++;
  const out = [];
  counts.forEach((count, n) => {
    for (let i = 0; i < count; i++) {
      out.push(n);
    }
  });
  return out;
}
console.log(countingSort([3, 1, 2, 3, 0], 3).join(''));
