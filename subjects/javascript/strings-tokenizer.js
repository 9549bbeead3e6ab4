function* tokens(text) {
  const pattern = /\s*(?:(\d+)|([-+*\/()]))/y;
  let match;
  while ((match = pattern.exec(text)) !== null) {
    yield match[1] !== undefined ? { kind: 'number', value: Number(match[1]) } : { kind: 'sign', value: match[2] };
  }
}
for (const token of tokens('12 + (3*4)')) {
  if (token.kind === 'number') console.log(token.value);
}
