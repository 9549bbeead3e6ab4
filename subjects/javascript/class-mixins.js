const Walks = Base => class extends Base {
  walk() {
    this.log.push('walks');
    return this;
  }
};
const Swims = Base => class extends Base {
  swim() {
    this.log.push('swims');
    return this;
  }
};

class Creature {
  constructor() {
    this.log = [];
  }
}
class Duck extends Swims(Walks(Creature)) {}

const duck = new Duck();
duck.walk().swim().walk();
console.log(duck.log.join(', '));
