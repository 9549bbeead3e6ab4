class Range {
  constructor(from, to, step = 1) {
    Object.assign(this, { from, to, step });
  }
  *[Symbol.iterator]() {
    for (let n = this.from; n <= this.to; n += this.step) {
      yield n;
    }
  }
  includes(n) {
    return n >= this.from && n <= this.to && (n - this.from) % this.step === 0;
  }
}
const even = new Range(0, 8, 2);
console.log([...even].join(), even.includes(5), even.includes(6));
