class ParseError extends Error {
  constructor(text, position) {
    super('unexpected ' + JSON.stringify(text[position]) + ' at ' + position);
    this.name = 'ParseError';
    this.position = position;
  }
}

function parseDigits(text) {
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = '0123456789'.indexOf(text[at]);
    if (digit < 0) throw new ParseError(text, at);
    value = value * 10 + digit;
  }
  return value;
}

for (const text of ['42', '4x2', '']) {
  try {
    console.log(parseDigits(text));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    console.log(error.name, error.position);
  }
}
