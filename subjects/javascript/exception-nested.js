function risky(depth) {
  if (depth === 0) {
    throw new TypeError('bottom');
  }
  try {
    risky(depth - 1);
  } catch (error) {
    error.message += '<' + depth;
    throw error;
  }
}

try {
  risky(3);
} catch (error) {
  console.log(error.name, error.message);
}
