function size(n) {
  switch (true) {
    case n < 0:
      return 'negative';
    case n === 0:
      return 'zero';
    case n < 10:
      return 'small';
    default:
      return 'large';
  }
}
for (const n of [-1, 0, 5, 50]) console.log(size(n));
