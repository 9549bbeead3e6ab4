function triangle(rows) {
  const result = [[1]];
  while (result.length < rows) {
    const last = result[result.length - 1];
    const next = [1];
    for (let i = 0; i + 1 < last.length; i++) {
      next.push(last[i] + last[i + 1]);
    }
    next.push(1);
    result.push(next);
  }
  return result;
}
triangle(4).forEach(row => console.log(row.join(' ')));
