const hidden = Symbol('hidden');
const box = {
  [hidden]: 42,
  shown: 1,
  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? 'a box' : this[hidden];
  },
};
console.log(Object.keys(box).join(), `${box}`, box + 1, box[hidden]);
