const scores = [3, 9, 4, 9, 1];
const last = scores[scores.length - 1];
const index = scores.lastIndexOf(9);
const best = scores.reduce((m, n) => (n > m ? n : m), -Infinity);
console.log(last, index, best, scores.slice(-2).join());
