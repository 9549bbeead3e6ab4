const pairs = [[0, ''], [null, undefined], [NaN, NaN], ['1', 1], [[], '']];
for (const [a, b] of pairs) {
  console.log(a == b, a === b, Object.is(a, b));
}
