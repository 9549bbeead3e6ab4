var order = {
  id: 17,
  customer: { name: 'Ada', address: { city: 'Turin', zip: '10121' } },
  items: [{ sku: 'x1', count: 2 }, { sku: 'y2', count: 1 }],
};

var { id, customer: { name, address: { city } }, coupon = 'none' } = order;
console.log(id, name, city, coupon);

for (var { sku, count } of order.items) {
  console.log(sku, 'x', count);
}
