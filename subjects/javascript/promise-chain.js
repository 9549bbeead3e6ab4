const log = [];
Promise.resolve(2)
  .then(n => {
    log.push('got ' + n);
    return n * 10;
  })
  .then(n => {
    if (n > 10) throw new Error('too big: ' + n);
    return n;
  })
  .catch(error => {
    log.push(error.message);
    return 0;
  })
  .finally(() => log.push('finally'))
  .then(n => console.log(log.join(', '), n));
