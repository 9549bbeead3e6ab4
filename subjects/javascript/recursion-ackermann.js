let depth = 0;
function ackermann(m, n) {
  depth += 1;
  if (m === 0) return n + 1;
  if (n === 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
const answer = ackermann(1, 2);
console.log(answer, depth);
