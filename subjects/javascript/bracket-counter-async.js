const queue = ['(', ')', '(', '('];
let open = 0;
async function consume() {
  while (queue.length) {
    const sign = queue.shift();
    open += sign === '(' ? 1 : -1;
    await null;
    if (open < 0) throw new Error('unbalanced');
  }
  return open;
}
consume().then(left => console.log('left open', left), error => console.log(error.message));
