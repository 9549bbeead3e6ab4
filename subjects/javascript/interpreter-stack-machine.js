function run(program) {
  const stack = [];
  const steps = {
    push: n => stack.push(n),
    add: () => stack.push(stack.pop() + stack.pop()),
    mul: () => stack.push(stack.pop() * stack.pop()),
    dup: () => stack.push(stack[stack.length - 1]),
  };
  for (const [name, argument] of program) {
    if (!steps[name]) throw new Error('unknown ' + name);
    steps[name](argument);
  }
  return stack.pop();
}
console.log(run([['push', 3], ['dup'], ['mul'], ['push', 4], ['add']]));
try {
  run([['jump', 0]]);
} catch ({ message }) {
  console.log(message);
}
