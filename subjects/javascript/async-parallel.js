async function square(n) {
  await undefined;
  return n * n;
}

async function run() {
  const results = await Promise.all([1, 2, 3].map(square));
  let sum = 0;
  for (const value of results) {
    sum += value;
  }
  return sum;
}

run().then(sum => {
  console.log('sum of squares', sum);
});
console.log('started');
