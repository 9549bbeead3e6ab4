const makeTax = rate => {
  const factor = 1 + rate / 100;
  const apply = price => {
    const gross = price * factor;
    return Math.round(gross * 100) / 100;
  };
  return apply;
};
const vat = makeTax(19);
const prices = [1, 9.99, 100];
let sum = 0;
for (const price of prices) {
  const gross = vat(price);
  sum += gross;
}
console.log(sum.toFixed(2));
