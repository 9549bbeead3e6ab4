function rotate(list, by) {
  const n = list.length;
  by = ((by % n) + n) % n;
  return list.slice(-by).concat(list.slice(0, n - by));
}
console.log(rotate([1, 2, 3, 4, 5], 2));
console.log(rotate([1, 2, 3], -1));
