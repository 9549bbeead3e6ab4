function permutations(items) {
  if (items.length <= 1) {
    return [items];
  }
  const result = [];
  items.forEach((item, index) => {
    const rest = items.slice(0, index).concat(items.slice(index + 1));
    for (const tail of permutations(rest)) {
      result.push([item, ...tail]);
    }
  });
  return result;
}
var all = permutations(['x', 'y', 'z']);
console.log(all.length, all[3].join(''));
