function html(strings, ...values) {
  const escape = text => String(text).replace(/</g, '&lt;');
  let out = '';
  strings.forEach((part, i) => {
    out += part;
    if (i < values.length) out += escape(values[i]);
  });
  return out;
}
const name = '<b>';
console.log(html`<p>${name} is ${1 + 1}</p>`, String.raw`a\n${'b'}`);
