const open = [];
function using(name, body) {
  open.push(name);
  try {
    return body();
  } finally {
    open.pop();
  }
}
let failure = '';
try {
  using('file', () => using('lock', () => {
    throw new Error('with ' + open.join('+'));
  }));
} catch (error) {
  failure = error.message;
}
console.log(failure, open.length);
