function settle(promises) {
  return Promise.all(promises.map(promise =>
    promise.then(value => ({ ok: true, value }), reason => ({ ok: false, reason }))));
}
settle([Promise.resolve(1), Promise.reject('no'), Promise.resolve(3)]).then(results => {
  for (const { ok, value, reason } of results) {
    console.log(ok ? value : 'failed ' + reason);
  }
});
