function makeClass(greeting) {
  let made = 0;
  return class Greeter {
    constructor(name) {
      this.name = name;
      made++;
    }
    greet() { return greeting + ' ' + this.name + ' (' + made + ')'; }
  };
}
const Polite = makeClass('Good day');
const first = new Polite('A');
new Polite('B');
console.log(first.greet(), new (makeClass('Yo'))('C').greet());
