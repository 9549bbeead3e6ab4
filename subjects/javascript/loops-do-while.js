function collatz(n) {
  let steps = 0;
  do {
    n = n % 2 === 0 ? n / 2 : 3 * n + 1;
    steps++;
  } while (n !== 1);
  return steps;
}
var longest = 0;
var best;
for (var n = 2; n < 10; n++) {
  var steps = collatz(n);
  if (steps > longest) {
    longest = steps;
    best = n;
  }
}
console.log(best, longest);
