function indexOf(sorted, wanted) {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === wanted) return middle;
    if (sorted[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}
console.log(indexOf([1, 4, 6, 9, 12], 9), indexOf([1, 4, 6], 5));
