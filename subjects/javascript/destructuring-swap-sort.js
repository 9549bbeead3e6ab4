function bubble(list) {
  let swapped = true;
  while (swapped) {
    swapped = false;
    for (let i = 0; i + 1 < list.length; i++) {
      if (list[i] > list[i + 1]) {
        [list[i], list[i + 1]] = [list[i + 1], list[i]];
        swapped = true;
      }
    }
  }
  return list;
}
console.log(bubble([5, 1, 4, 2]).join());
