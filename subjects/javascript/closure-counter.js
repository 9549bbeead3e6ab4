function counter(start) {
  let value = start;
  return {
    up() { value += 1; return value; },
    down() { value -= 1; return value; },
    reset() { value = start; },
  };
}

var c1 = counter(5);
var c2 = counter(0);
c1.up();
c1.up();
c2.down();
console.log(c1.up(), c2.down());
c1.reset();
console.log(c1.down());
