const order = [];
const note = text => () => { order.push(text); };
Promise.resolve().then(note('micro 1')).then(note('micro 3'));
Promise.resolve().then(note('micro 2'));
setTimeout(() => {
  order.push('timer');
  console.log(order.join(', '));
}, 0);
order.push('sync');
