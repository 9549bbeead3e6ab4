function classify(thrown) {
  try {
    throw thrown;
  } catch (value) {
    if (value instanceof Error) return 'error ' + value.message;
    if (typeof value === 'object' && value) return 'object ' + Object.keys(value);
    return typeof value;
  }
}
console.log(classify(new Error('e')), classify({ code: 1 }), classify('s'), classify(undefined));
