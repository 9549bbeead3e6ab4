class Registry {
  static entries = new Map();
  static {
    for (const name of ['one', 'two']) {
      Registry.entries.set(name, name.length);
    }
  }
  static total() {
    let sum = 0;
    for (const size of this.entries.values()) sum += size;
    return sum;
  }
}
console.log(Registry.total());
