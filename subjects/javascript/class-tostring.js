class Vector {
  constructor(x, y) { this.x = x; this.y = y; }
  plus(other) { return new Vector(this.x + other.x, this.y + other.y); }
  times(k) { return new Vector(this.x * k, this.y * k); }
  toString() { return '(' + this.x + ', ' + this.y + ')'; }
}
const v = new Vector(1, 2).plus(new Vector(3, 4)).times(2);
console.log('' + v);
