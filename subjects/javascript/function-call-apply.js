function introduce(greeting, mark) {
  return greeting + ', ' + this.name + mark;
}
var one = { name: 'Una' };
var two = { name: 'Duo' };
console.log(introduce.call(one, 'Hi', '!'));
console.log(introduce.apply(two, ['Bye', '.']));
console.log(introduce.bind(one, 'Hey')('?'));
