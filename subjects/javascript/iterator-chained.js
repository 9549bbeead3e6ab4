const chain = (...sources) => ({
  *[Symbol.iterator]() {
    for (const source of sources) {
      yield* source;
    }
  },
});
const all = chain([1, 2], new Set([3]), 'ab');
console.log([...all].join('-'), Math.max(...chain([4], [9])));
