function toBase(n, base) {
  const digits = '0123456789abcdef';
  if (n === 0) return '0';
  let text = '';
  while (n > 0) {
    text = digits[n % base] + text;
    n = Math.floor(n / base);
  }
  return text;
}
console.log(toBase(255, 16), toBase(10, 2), parseInt('ff', 16), (255).toString(8));
