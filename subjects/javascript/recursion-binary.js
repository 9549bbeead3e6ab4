function binary(n) {
  return n < 2 ? String(n) : binary(Math.floor(n / 2)) + n % 2;
}
function gray(bits) {
  if (bits === 0) return [''];
  const shorter = gray(bits - 1);
  return [...shorter.map(s => '0' + s), ...shorter.reverse().map(s => '1' + s)];
}
console.log(binary(10), gray(2).join());
