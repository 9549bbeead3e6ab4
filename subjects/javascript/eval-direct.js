var base = 10;
function compute(expression) {
  var local = 5;
  return eval(expression);
}
console.log(compute('local * 2'), compute('base + local'));
var indirect = eval;
console.log(indirect('typeof local'));
