function pipe(...stages) {
  return function run(input) {
    let value = input;
    for (const stage of stages) {
      value = stage(value);
    }
    return value;
  };
}
const slug = pipe(
  s => s.trim(),
  s => s.toLowerCase(),
  s => s.replace(/\s+/g, '-'),
);
console.log(slug('  Hello Big World '));
