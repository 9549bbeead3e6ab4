const results = [];
async function double(n) {
  await null;
  return n * 2;
}
(async function () {
  for (const n of [1, 2, 3]) {
    const value = await double(n);
    results.push(value);
    if (value > 3) break;
  }
  console.log(results.join());
})();
