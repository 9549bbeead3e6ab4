function sloppy() {
  return typeof this;
}
function strict() {
  'use strict';
  return typeof this;
}
console.log(sloppy.call(1), strict.call(1), strict());
