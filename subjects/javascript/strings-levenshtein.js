function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let previous = i - 1;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const keep = row[j];
      const cost = a[i - 1] === b[j - 1] ? previous : 1 + Math.min(previous, row[j], row[j - 1]);
      row[j] = cost;
      previous = keep;
    }
  }
  return row[b.length];
}
console.log(distance('kitten', 'sitting'), distance('', 'ab'));
