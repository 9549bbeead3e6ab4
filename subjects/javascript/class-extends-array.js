class Stack extends Array {
  peek() {
    return this[this.length - 1];
  }
  static of3(a, b, c) {
    const stack = new Stack();
    stack.push(a, b, c);
    return stack;
  }
}
const stack = Stack.of3(1, 2, 3);
stack.pop();
console.log(stack.peek(), stack.length, stack instanceof Array);
