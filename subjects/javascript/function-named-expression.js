var fact = function self(n) {
  if (n <= 1) {
    return 1;
  }
  return n * self(n - 1);
};
var alias = fact;
fact = null;
console.log(alias(5), typeof self);
