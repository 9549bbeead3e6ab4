function table(names) {
  const result = {};
  names.forEach((name, i) => {
    Object.assign(result, {
      ['get' + name]() { return i; },
      [`is${name}`]: i > 0,
    });
  });
  return result;
}
const t = table(['Zero', 'One']);
console.log(t.getOne(), t.isZero, t.isOne, Object.keys(t).length);
