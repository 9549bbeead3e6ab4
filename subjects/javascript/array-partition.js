function partition(list, test) {
  const yes = [], no = [];
  for (const item of list) {
    (test(item) ? yes : no).push(item);
  }
  return [yes, no];
}
const [even, odd] = partition([1, 2, 3, 4, 5], n => n % 2 === 0);
console.log(even.join(), odd.join());
