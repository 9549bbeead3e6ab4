function toHex({ r, g, b }) {
  return '#' + [r, g, b].map(n => n.toString(16).padStart(2, '0')).join('');
}
function fromHex(text) {
  const [r, g, b] = text.match(/[0-9a-f]{2}/g).map(part => parseInt(part, 16));
  return { r, g, b };
}
const teal = fromHex('#008080');
teal.r += 16;
console.log(toHex(teal));
