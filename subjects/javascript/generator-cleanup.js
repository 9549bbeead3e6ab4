// The finally block runs when the consumer stops early.
function* lines() {
  try {
    yield 'first';
    yield 'second';
    yield 'third';
  } finally {
    console.log('closed');
  }
}

for (const line of lines()) {
  console.log(line);
  if (line === 'second') {
    break;
  }
}
