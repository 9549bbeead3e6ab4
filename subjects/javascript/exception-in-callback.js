const inputs = ['1', 'x', '3'];
function parse(text) {
  const n = Number(text);
  if (Number.isNaN(n)) throw new Error('not a number: ' + text);
  return n;
}
let sum = 0;
const problems = [];
inputs.forEach(text => {
  try {
    sum += parse(text);
  } catch (error) {
    problems.push(error.message);
  }
});
console.log(sum, problems.join());
