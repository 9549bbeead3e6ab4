var a = 1;
var a;
console.log(a);
function f(a) {
  var a;
  var b = a;
  {
    var b = b + 1;
  }
  return b;
}
var a = f(5);
console.log(a);
