function* fibonacci() {
  let [a, b] = [0, 1];
  while (true) {
    yield a;
    [a, b] = [b, a + b];
  }
}

const firstOnes = [];
for (const value of fibonacci()) {
  if (value > 50) break;
  firstOnes.push(value);
}
console.log(firstOnes.join(' '));
