class Peekable {
  constructor(source) {
    this.inner = source[Symbol.iterator]();
    this.held = null;
  }
  peek() {
    if (this.held === null) this.held = this.inner.next();
    return this.held.value;
  }
  next() {
    const item = this.held || this.inner.next();
    this.held = null;
    return item;
  }
  [Symbol.iterator]() { return this; }
}
const letters = new Peekable('aabbb');
const runs = [];
for (const letter of letters) {
  let length = 1;
  while (letters.peek() === letter) {
    letters.next();
    length++;
  }
  runs.push(letter + length);
}
console.log(runs.join(' '));
