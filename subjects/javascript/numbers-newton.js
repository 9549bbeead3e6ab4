function squareRoot(x) {
  let guess = x / 2;
  let rounds = 0;
  while (Math.abs(guess * guess - x) > 1e-9) {
    guess = (guess + x / guess) / 2;
    rounds++;
    if (rounds > 50) return NaN;
  }
  return guess.toFixed(4);
}
console.log(squareRoot(2), squareRoot(144));
