function stats(list) {
  const n = list.length;
  const mean = list.reduce((a, b) => a + b) / n;
  let variance = 0;
  for (const value of list) {
    variance += (value - mean) ** 2;
  }
  const sorted = [...list].sort((a, b) => a - b);
  const median = n % 2 ? sorted[n >> 1] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  return { mean, median, deviation: Math.sqrt(variance / n) };
}
const { mean, median, deviation } = stats([2, 4, 4, 6]);
console.log(mean, median, deviation.toFixed(3));
