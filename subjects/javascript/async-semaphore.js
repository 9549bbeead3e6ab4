class Semaphore {
  constructor(slots) {
    this.slots = slots;
    this.waiting = [];
  }
  async acquire() {
    if (this.slots > 0) {
      this.slots--;
      return;
    }
    await new Promise(resolve => this.waiting.push(resolve));
  }
  release() {
    const next = this.waiting.shift();
    if (next) next();
    else this.slots++;
  }
}
const gate = new Semaphore(1);
const log = [];
async function worker(name) {
  await gate.acquire();
  log.push(name + ' in');
  await null;
  log.push(name + ' out');
  gate.release();
}
Promise.all([worker('a'), worker('b')]).then(() => console.log(log.join(', ')));
