const codes = { s: '...', o: '---', e: '.' };
function encode(text) {
  return Array.from(text, letter => codes[letter] || '?').join(' ');
}
function decode(signal) {
  const letters = Object.entries(codes);
  return signal.split(' ').map(part => {
    const found = letters.find(([, code]) => code === part);
    return found ? found[0] : '?';
  }).join('');
}
const signal = encode('sosx');
console.log(signal, decode(signal));
