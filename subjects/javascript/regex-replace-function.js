var template = 'Dear {name}, you owe {sum} since {date}.';
var facts = { name: 'Ms. Poe', sum: '3 ducks' };
var letter = template.replace(/\{(\w+)\}/g, function (whole, key) {
  return key in facts ? facts[key] : '(' + key + '?)';
});
console.log(letter);
