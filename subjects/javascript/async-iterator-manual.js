const ticker = {
  [Symbol.asyncIterator]() {
    let n = 0;
    return {
      next: async () => {
        n += 1;
        return n > 3 ? { done: true } : { done: false, value: n };
      },
    };
  },
};
async function total() {
  let sum = 0;
  for await (const n of ticker) {
    sum += n;
  }
  return sum;
}
total().then(sum => console.log('sum', sum));
