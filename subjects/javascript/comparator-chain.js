const by = key => (a, b) => (a[key] > b[key]) - (a[key] < b[key]);
const chain = (...comparators) => (a, b) => {
  for (const compare of comparators) {
    const result = compare(a, b);
    if (result) return result;
  }
  return 0;
};
const cars = [{ m: 'b', y: 2 }, { m: 'a', y: 2 }, { m: 'c', y: 1 }];
console.log(cars.sort(chain(by('y'), by('m'))).map(c => c.m).join(''));
