const stock = [
  { name: 'bolt', count: 120, price: 0.1 },
  { name: 'nut', count: 0, price: 0.08 },
  { name: 'gear', count: 7, price: 12.5 },
];
let total = 0;
for (const { name, count, price } of stock) {
  if (!count) {
    console.log(name + ': sold out');
    continue;
  }
  const worth = count * price;
  total += worth;
  console.log(name.padEnd(6) + worth.toFixed(2).padStart(8));
}
console.log('total', total);
