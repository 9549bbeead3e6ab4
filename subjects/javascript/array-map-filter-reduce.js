const prices = [12, 30, 7, 55];
const cheap = prices.filter(price => price < 40);
const withTax = cheap.map(price => price * 1.2);
const sum = withTax.reduce((total, price) => total + price, 0);
console.log(cheap.length, sum.toFixed(2));
