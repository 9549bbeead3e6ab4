function makeAccumulator() {
  var total = 0;
  return function (n) {
    total += n;
    return total;
  };
}
var a = makeAccumulator();
var b = makeAccumulator();
a(5);
a(10);
b(1);
console.log(a(0), b(0));
