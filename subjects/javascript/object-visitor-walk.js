function walk(value, visit, path = []) {
  visit(path, value);
  if (value && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      walk(value[key], visit, path.concat(key));
    }
  }
}
const leaves = [];
walk({ a: 1, b: { c: [2, 3] } }, (path, value) => {
  if (typeof value !== 'object') leaves.push(path.join('.') + '=' + value);
});
console.log(leaves.join(' '));
