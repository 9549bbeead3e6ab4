const a = new Set([1, 2, 3]);
const b = new Set([2, 3, 4]);
const union = new Set([...a, ...b]);
const common = new Set([...a].filter(x => b.has(x)));
const difference = [...a].filter(x => !b.has(x));
console.log(union.size, [...common].join(), difference.join());
