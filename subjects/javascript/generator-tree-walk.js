class Tree {
  constructor(value, left, right) {
    this.value = value;
    this.left = left;
    this.right = right;
  }

  *[Symbol.iterator]() {
    if (this.left) yield* this.left;
    yield this.value;
    if (this.right) yield* this.right;
  }
}

const tree = new Tree(4, new Tree(2, new Tree(1), new Tree(3)), new Tree(6));
console.log([...tree].join(','));
