function cancellable(work) {
  let cancelled = false;
  const promise = work(() => cancelled);
  return { promise, cancel() { cancelled = true; } };
}
const job = cancellable(async isCancelled => {
  let done = 0;
  for (let i = 0; i < 5; i++) {
    if (isCancelled()) return 'stopped after ' + done;
    await null;
    done++;
    if (done === 2) job.cancel();
  }
  return 'all done';
});
job.promise.then(text => console.log(text));
