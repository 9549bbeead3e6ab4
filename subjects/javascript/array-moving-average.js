function average(list, width) {
  const out = [];
  let sum = 0;
  list.forEach((value, index) => {
    sum += value;
    if (index >= width) sum -= list[index - width];
    if (index >= width - 1) out.push(sum / width);
  });
  return out;
}
console.log(average([2, 4, 6, 8], 2).join());
