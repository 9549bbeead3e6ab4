function shadow(a, b) {
  var b;
  if (a > 0) {
    let a = 'inner';
    b = a + b;
  }
  return function (a) {
    return a + b;
  };
}
console.log(shadow(1, 2)('x'), shadow(0, 2)('y'));
