const ages = new Map([['Ann', 31], ['Bob', 25]]);
const oldest = [...ages].reduce((a, b) => (b[1] > a[1] ? b : a));
const names = [...ages.keys()].sort().reverse();
let total = 0;
for (const age of ages.values()) total += age;
console.log(oldest[0], names.join(), total);
