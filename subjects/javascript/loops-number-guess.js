const guesses = [50, 25, 37, 31];
const target = 31;
let result = 'not found';
for (const [turn, guess] of guesses.entries()) {
  if (guess > target) {
    console.log(guess, 'too high');
  } else if (guess < target) {
    console.log(guess, 'too low');
  } else {
    result = `found in ${turn + 1}`;
    break;
  }
}
console.log(result);
