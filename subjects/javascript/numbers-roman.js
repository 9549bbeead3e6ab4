function roman(n) {
  const table = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
  let text = '';
  for (const [value, sign] of table) {
    while (n >= value) {
      text += sign;
      n -= value;
    }
  }
  return text;
}
console.log(roman(14), roman(29), roman(38));
