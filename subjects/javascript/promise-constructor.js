function delay(ms, value) {
  return new Promise(resolve => {
    setTimeout(() => resolve(value), ms);
  });
}
function timeout(promise, ms) {
  return Promise.race([promise, delay(ms, 'late')]);
}
timeout(delay(5, 'quick'), 50).then(v => console.log(v));
timeout(delay(500, 'slow'), 50).then(v => console.log(v));
