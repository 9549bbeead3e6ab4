function round(n, digits) {
  const factor = 10 ** digits;
  return Math.round(n * factor) / factor;
}
console.log(round(3.14159, 2), (1.005).toFixed(2), 0.1 + 0.2 === 0.3, Number.isInteger(5.0));
