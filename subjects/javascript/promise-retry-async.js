let attempts = 0;
async function flaky() {
  attempts += 1;
  if (attempts < 3) {
    throw new Error('attempt ' + attempts);
  }
  return 'done after ' + attempts;
}
async function retry(action, times) {
  let problem;
  while (times-- > 0) {
    try {
      return await action();
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}
retry(flaky, 5).then(text => console.log(text));
