function* numbers() {
  try {
    yield 1;
    yield 2;
    throw new Error('broken source');
  } finally {
    console.log('source closed');
  }
}
let sum = 0;
try {
  for (const n of numbers()) {
    sum += n;
  }
} catch (error) {
  console.log(error.message, sum);
}
