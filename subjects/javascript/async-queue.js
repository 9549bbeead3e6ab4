// Tasks run one after the other, whatever order they were added in.
class Queue {
  constructor() {
    this.tail = Promise.resolve();
    this.done = [];
  }
  add(name, work) {
    this.tail = this.tail.then(() => work()).then(value => {
      this.done.push(name + '=' + value);
    });
    return this.tail;
  }
}

const queue = new Queue();
queue.add('one', () => 1);
queue.add('two', async () => 2);
queue.add('three', () => Promise.resolve(3)).then(() => {
  console.log(queue.done.join(' '));
});
