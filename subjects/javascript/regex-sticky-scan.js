const scanner = /(\w)(\d)?/g;
let match;
const parts = [];
while ((match = scanner.exec('a1 b c3')) !== null) {
  const [, letter, digit = '0'] = match;
  parts.push(letter + digit);
}
console.log(parts.join(' '), scanner.lastIndex);
