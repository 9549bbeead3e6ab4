function knapsack(items, capacity) {
  const best = new Array(capacity + 1).fill(0);
  for (const { weight, value } of items) {
    for (let c = capacity; c >= weight; c--) {
      best[c] = Math.max(best[c], best[c - weight] + value);
    }
  }
  return best[capacity];
}
console.log(knapsack([{ weight: 2, value: 3 }, { weight: 3, value: 4 }, { weight: 4, value: 6 }], 6));
