function digitSum(n) {
  let sum = 0;
  do {
    sum += n % 10;
    n = (n - n % 10) / 10;
  } while (n > 0);
  return sum > 9 ? digitSum(sum) : sum;
}
console.log(digitSum(9875), digitSum(7));
