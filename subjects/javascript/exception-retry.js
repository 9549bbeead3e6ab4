function unstable() {
  unstable.calls = (unstable.calls || 0) + 1;
  if (unstable.calls < 3) throw new Error('try ' + unstable.calls);
  return 'worked';
}

function retry(action, times) {
  let lastError;
  for (let attempt = 1; attempt <= times; attempt++) {
    try {
      const result = action();
      return { result, attempt };
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}
var outcome = retry(unstable, 5);
console.log(outcome.result, outcome.attempt);
