function suspicious(list) {
  let total = 0;
  for (const item of list) {
    if (item < 0) {
      debugger;
    }
    total += item;
  }
  return total;
}
console.log(suspicious([1, -2, 3]));
