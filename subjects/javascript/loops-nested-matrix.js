function multiply(a, b) {
  const result = [];
  for (let row = 0; row < a.length; row++) {
    result[row] = [];
    for (let column = 0; column < b[0].length; column++) {
      let sum = 0;
      for (let k = 0; k < b.length; k++) {
        sum += a[row][k] * b[k][column];
      }
      result[row][column] = sum;
    }
  }
  return result;
}
console.log(JSON.stringify(multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]])));
