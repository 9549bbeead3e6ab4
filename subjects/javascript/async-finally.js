async function guarded(step) {
  const log = [];
  try {
    log.push('begin');
    await step();
    log.push('ok');
  } catch (error) {
    log.push('failed: ' + error);
  } finally {
    log.push('end');
  }
  return log;
}

async function demo() {
  const good = await guarded(async () => 1);
  const bad = await guarded(async () => { throw 'oops'; });
  console.log(good.join(), bad.join());
}
demo();
