function quickSort(list) {
  if (list.length < 2) return list;
  const [pivot, ...rest] = list;
  const small = rest.filter(x => x < pivot);
  const large = rest.filter(x => x >= pivot);
  return [...quickSort(small), pivot, ...quickSort(large)];
}
console.log(quickSort([3, 6, 1, 8, 2]).join(' '));
