function report(title, ...numbers) {
  const total = numbers.reduce((a, b) => a + b, 0);
  return `${title}: ${numbers.length} values, ${total}`;
}
const values = [1, 2, 3];
console.log(report('all', ...values, 4));
console.log(report('none'));
