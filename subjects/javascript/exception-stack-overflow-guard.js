function deep(n) {
  if (n > 50) throw new RangeError('too deep');
  return 1 + deep(n + 1);
}
try {
  console.log(deep(0));
} catch (error) {
  console.log(error.name);
}
console.log(deep(49));
