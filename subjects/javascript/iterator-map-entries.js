const stock = new Map([['apple', 3], ['pear', 0]]);
stock.set('plum', 7);
stock.delete('pear');

let list = '';
for (const [fruit, amount] of stock) {
  list += fruit + '=' + amount + ' ';
}
stock.forEach((amount, fruit) => {
  if (amount > 5) {
    list += '(' + fruit + ' plenty)';
  }
});
console.log(list);
