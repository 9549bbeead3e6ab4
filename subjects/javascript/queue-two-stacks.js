class Queue {
  constructor() { this.inbox = []; this.outbox = []; }
  add(item) { this.inbox.push(item); }
  take() {
    if (this.outbox.length === 0) {
      while (this.inbox.length) {
        this.outbox.push(this.inbox.pop());
      }
    }
    return this.outbox.pop();
  }
}
const q = new Queue();
q.add(1);
q.add(2);
console.log(q.take());
q.add(3);
console.log(q.take(), q.take(), q.take());
