class Point {
  constructor(x, y) { this.x = x; this.y = y; }
}
const p = Reflect.construct(Point, [1, 2]);
Reflect.set(p, 'z', 3);
console.log(Reflect.ownKeys(p).join(), Reflect.has(p, 'x'), Reflect.getPrototypeOf(p) === Point.prototype);
console.log(Reflect.apply(Math.max, null, [4, 8]));
