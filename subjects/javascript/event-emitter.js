class Emitter {
  constructor() { this.listeners = new Map(); }
  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, []);
    this.listeners.get(name).push(listener);
    return () => {
      const list = this.listeners.get(name);
      list.splice(list.indexOf(listener), 1);
    };
  }
  emit(name, ...details) {
    for (const listener of [...(this.listeners.get(name) || [])]) {
      listener(...details);
    }
  }
}
const bus = new Emitter();
const log = [];
const off = bus.on('data', value => log.push('one ' + value));
bus.on('data', value => log.push('two ' + value * 2));
bus.emit('data', 1);
off();
bus.emit('data', 5);
bus.emit('nothing');
console.log(log.join('; '));
