class Shape {
  constructor() {
    if (new.target === Shape) throw new TypeError('abstract');
    this.kind = new.target.name;
  }
}
class Ring extends Shape {}
let message;
try {
  new Shape();
} catch (error) {
  message = error.message;
}
console.log(message, new Ring().kind);
