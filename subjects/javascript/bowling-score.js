function score(rolls) {
  let total = 0;
  let at = 0;
  for (let frame = 0; frame < 10; frame++) {
    const [a = 0, b = 0, c = 0] = rolls.slice(at, at + 3);
    if (a === 10) {
      total += 10 + b + c;
      at += 1;
    } else {
      total += a + b + (a + b === 10 ? c : 0);
      at += 2;
    }
  }
  return total;
}
console.log(score([10, 3, 7, 4, 2]), score(new Array(12).fill(10)));
