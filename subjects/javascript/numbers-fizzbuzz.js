for (let i = 1; i <= 15; i++) {
  let word = '';
  if (i % 3 === 0) word += 'Fizz';
  if (i % 5 === 0) word += 'Buzz';
  if (i > 9) console.log(word || i);
}
