const squares = Array.from({ length: 5 }, (_, i) => i * i);
const letters = Array.from('abc', c => c.charCodeAt(0));
const pairs = Array.from(new Map([[1, 'a']]), ([n, s]) => s + n);
console.log(squares.join(), letters.join(), pairs[0]);
