const defaults = new Proxy({}, {
  get: (target, key) => (key in target ? target[key] : 0),
  has: () => true,
});
for (const letter of 'hello') {
  defaults[letter] += 1;
}
console.log(defaults.l, defaults.h, defaults.z, 'q' in defaults);
