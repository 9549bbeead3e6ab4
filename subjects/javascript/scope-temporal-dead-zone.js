function probe() {
  try {
    return value;
  } catch (error) {
    return error.name;
  }
}
const before = probe();
let value = 'set';
console.log(before, probe());
