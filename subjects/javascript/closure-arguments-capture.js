function outer(a) {
  const inner = () => arguments.length + a;
  a += 1;
  return inner();
}
function later() {
  const args = arguments;
  return function () {
    return args[0] + arguments[0];
  };
}
console.log(outer(10, 'x'), later(1)(2));
