// In sloppy functions parameters and arguments are two views of one thing.
function mapped(a, b) {
  a = 10;
  arguments[1] = 20;
  return a + arguments[0] + b;
}
function unmapped(a) {
  'use strict';
  a = 10;
  return a + arguments[0];
}
console.log(mapped(1, 2), unmapped(1));
