function* permute(list, n = list.length) {
  if (n <= 1) {
    yield list.slice();
  } else {
    for (let i = 0; i < n; i++) {
      yield* permute(list, n - 1);
      const j = n % 2 ? 0 : i;
      [list[n - 1], list[j]] = [list[j], list[n - 1]];
    }
  }
}
let count = 0;
for (const order of permute([1, 2, 3])) {
  count++;
  if (count === 4) console.log(order.join(''));
}
console.log(count);
