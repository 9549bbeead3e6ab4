const compose = (...steps) => input => steps.reduceRight((value, step) => step(value), input);
const add = n => value => value + n;
const times = n => value => value * n;

const formula = compose(add(1), times(10), add(2));
for (const input of [0, 1, 5]) {
  const output = formula(input);
  console.log(input, '->', output);
}
