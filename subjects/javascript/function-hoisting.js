console.log(typeof early, typeof late, early());
var late = function () { return 'late'; };
function early() {
  return 'early';
}
function outer() {
  return inner();
  function inner() {
    return 'inner ' + typeof value;
  }
  var value = 1;
}
console.log(outer(), late());
