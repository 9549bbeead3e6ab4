function gcd(a, b) {
  while (b !== 0) {
    var rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
function lcm(a, b) {
  return a / gcd(a, b) * b;
}
console.log(gcd(48, 36), lcm(4, 6), gcd(17, 5));
