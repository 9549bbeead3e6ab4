class Money {
  constructor(amount) { this.amount = amount; }
  toJSON() { return this.amount + ' EUR'; }
}
const bill = { items: [new Money(3), new Money(4)], total: new Money(7) };
console.log(JSON.stringify(bill));
console.log(JSON.stringify({ x: 1, y: 2, z: 3 }, ['x', 'z']));
