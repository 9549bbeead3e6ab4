class Cart {
  #items = [];
  #check(price) {
    if (price < 0) throw new RangeError('price');
  }
  add(name, price) {
    this.#check(price);
    this.#items.push({ name, price });
    return this;
  }
  get total() {
    return this.#items.reduce((sum, { price }) => sum + price, 0);
  }
}
const cart = new Cart().add('tea', 3).add('cup', 8);
console.log(cart.total);
