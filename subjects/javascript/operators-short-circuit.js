let calls = [];
function say(word, result) {
  calls.push(word);
  return result;
}
const value = say('a', 0) || say('b', '') || say('c', 'end');
const other = say('d', 1) && say('e', null) && say('f', 2);
console.log(value, other, calls.join(''));
