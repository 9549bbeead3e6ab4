function change(amount, coins) {
  const ways = [1].concat(new Array(amount).fill(0));
  for (const coin of coins) {
    for (let sum = coin; sum <= amount; sum++) {
      ways[sum] += ways[sum - coin];
    }
  }
  return ways[amount];
}
console.log(change(10, [1, 2, 5]), change(3, [2]));
