function primes(limit) {
  const composite = new Array(limit + 1).fill(false);
  const found = [];
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    found.push(n);
    for (let multiple = n * n; multiple <= limit; multiple += n) {
      composite[multiple] = true;
    }
  }
  return found;
}
console.log(primes(30).join(' '));
