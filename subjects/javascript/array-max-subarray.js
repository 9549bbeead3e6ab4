function best(list) {
  let sum = 0, top = -Infinity, start = 0, range = null;
  for (let i = 0; i < list.length; i++) {
    sum += list[i];
    if (sum > top) {
      top = sum;
      range = [start, i];
    }
    if (sum < 0) {
      sum = 0;
      start = i + 1;
    }
  }
  return { top, range };
}
const { top, range } = best([-2, 4, -1, 3, -5, 2]);
console.log(top, range.join('-'));
