const [first, , third = 'none', ...others] = [1, 2, undefined, 4, 5];
console.log(first, third, others.length);

let left = 'L';
let right = 'R';
[left, right] = [right, left];
console.log(left + right);

function minMax(numbers) {
  let low = Infinity, high = -Infinity;
  for (const n of numbers) {
    if (n < low) low = n;
    if (n > high) high = n;
  }
  return [low, high];
}
const [low, high] = minMax([3, 9, 2, 7]);
console.log(low, high);
