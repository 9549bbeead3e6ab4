var pairs = [];
outer:
for (var x = 1; x < 6; x++) {
  for (var y = x; y < 6; y++) {
    if (x * y === 8) {
      break outer;
    }
    if ((x + y) % 2) {
      continue outer;
    }
    pairs.push(x + '' + y);
  }
}
console.log(pairs.join(' '));
