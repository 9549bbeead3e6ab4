class Stack {
  constructor() {
    this.items = [];
  }
  push(item) {
    this.items.push(item);
    return this.items.length;
  }
  pop() {
    if (this.items.length === 0) {
      return null;
    }
    return this.items.pop();
  }
  get size() {
    return this.items.length;
  }
}

function balanced(text) {
  const pairs = { ')': '(', ']': '[', '}': '{' };
  const stack = new Stack();
  for (const sign of text) {
    if ('([{'.includes(sign)) {
      stack.push(sign);
    } else if (sign in pairs) {
      if (stack.pop() !== pairs[sign]) return false;
    }
  }
  return stack.size === 0;
}

console.log(balanced('a(b[c]{d})'), balanced('(]'), balanced('(('));
