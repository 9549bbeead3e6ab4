function popcount(n) {
  let bits = 0;
  for (; n; n &= n - 1) bits++;
  return bits;
}
function reverseByte(n) {
  var out = 0;
  for (var i = 0; i < 8; i++) {
    out = (out << 1) | (n & 1);
    n >>>= 1;
  }
  return out;
}
console.log(popcount(255), popcount(0b1010), reverseByte(1), ~5 ^ 3);
