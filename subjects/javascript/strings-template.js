const person = { first: 'Alan', last: 'Turing', born: 1912 };
const card = `${person.first} ${person.last.toUpperCase()}
  born ${person.born}${person.born < 2000 ? ' (last century)' : ''}`;
console.log(card);

function tag(parts, ...values) {
  let text = parts[0];
  for (let i = 0; i < values.length; i++) {
    text += '[' + values[i] + ']' + parts[i + 1];
  }
  return text;
}
console.log(tag`sum ${1 + 2} and ${'text'}.`);
