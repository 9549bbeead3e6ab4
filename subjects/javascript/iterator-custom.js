class Countdown {
  constructor(from) {
    this.from = from;
  }
  [Symbol.iterator]() {
    let current = this.from;
    return {
      next() {
        if (current <= 0) {
          return { value: undefined, done: true };
        }
        current -= 1;
        return { value: current + 1, done: false };
      },
    };
  }
}

console.log([...new Countdown(4)]);
var [top, next] = new Countdown(9);
console.log(top, next);
