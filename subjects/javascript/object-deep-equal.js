function equal(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keysA = Object.keys(a);
  const keysB = Object.keys(b);
  if (keysA.length !== keysB.length) return false;
  for (const key of keysA) {
    if (!equal(a[key], b[key])) return false;
  }
  return true;
}
console.log(equal({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), equal([1], [2]), equal(null, {}));
