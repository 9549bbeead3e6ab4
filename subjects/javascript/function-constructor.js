const add = new Function('a', 'b', 'return a + b');
const names = ['x', 'y'];
const sum = new Function(...names, 'var total = x; total += y; return total;');
console.log(add(1, 2), sum(3, 4));
