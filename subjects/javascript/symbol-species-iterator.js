class Bag {
  constructor(...items) { this.items = items; }
  get [Symbol.toStringTag]() { return 'Bag'; }
  *[Symbol.iterator]() {
    for (const item of this.items) yield item;
  }
}
const bag = new Bag('x', 'y');
console.log(Object.prototype.toString.call(bag), Math.max(...new Bag(3, 1)), [...bag].length);
