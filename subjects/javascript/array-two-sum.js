function twoSum(numbers, target) {
  const seen = new Map();
  for (let i = 0; i < numbers.length; i++) {
    const rest = target - numbers[i];
    if (seen.has(rest)) {
      return [seen.get(rest), i];
    }
    seen.set(numbers[i], i);
  }
}
console.log(twoSum([2, 7, 11, 15], 18).join(), twoSum([1, 2], 9));
