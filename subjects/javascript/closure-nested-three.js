function outer(a) {
  const x = a + 1;
  return function middle(b) {
    const y = x + b;
    return function inner(c) {
      const z = y + c;
      return [a, x, b, y, c, z].join();
    };
  };
}
console.log(outer(1)(10)(100));
