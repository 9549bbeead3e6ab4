function integrate(f, from, to, steps) {
  const h = (to - from) / steps;
  let sum = f(from) + f(to);
  for (let i = 1; i < steps; i++) {
    const weight = i % 2 ? 4 : 2;
    sum += weight * f(from + i * h);
  }
  return sum * h / 3;
}
console.log(integrate(x => x * x, 0, 3, 6).toFixed(4));
