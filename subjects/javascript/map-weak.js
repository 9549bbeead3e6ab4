const privates = new WeakMap();
class Secret {
  constructor(text) { privates.set(this, { text, reads: 0 }); }
  read() {
    const own = privates.get(this);
    own.reads += 1;
    return own.text + own.reads;
  }
}
const s = new Secret('k');
s.read();
console.log(s.read(), privates.has(s), privates.has({}));
