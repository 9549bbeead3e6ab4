function shellSort(a) {
  for (let gap = a.length >> 1; gap > 0; gap >>= 1) {
    for (let i = gap; i < a.length; i++) {
      const value = a[i];
      let j = i;
      for (; j >= gap && a[j - gap] > value; j -= gap) {
        a[j] = a[j - gap];
      }
      a[j] = value;
    }
  }
  return a;
}
console.log(shellSort([8, 3, 9, 1, 5]).join());
