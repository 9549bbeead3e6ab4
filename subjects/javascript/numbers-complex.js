class Complex {
  constructor(re, im) { this.re = re; this.im = im; }
  times({ re, im }) {
    return new Complex(this.re * re - this.im * im, this.re * im + this.im * re);
  }
  plus({ re, im }) { return new Complex(this.re + re, this.im + im); }
  get size() { return Math.hypot(this.re, this.im); }
}
function escapes(c, limit) {
  let z = new Complex(0, 0);
  for (let n = 0; n < limit; n++) {
    if (z.size > 2) return n;
    z = z.times(z).plus(c);
  }
  return limit;
}
console.log(escapes(new Complex(0, 1), 6), escapes(new Complex(1, 1), 6));
