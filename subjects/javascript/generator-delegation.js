function* letters() {
  yield 'a';
  yield 'b';
  return 'letters done';
}

function* digits() {
  yield 1;
  const result = yield* letters();
  console.log(result);
  yield 2;
}

for (const item of digits()) {
  console.log(item);
}
