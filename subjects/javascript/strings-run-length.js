function encode(text) {
  let out = '';
  let i = 0;
  while (i < text.length) {
    let run = 1;
    while (text[i + run] === text[i]) run++;
    out += (run > 1 ? run : '') + text[i];
    i += run;
  }
  return out;
}
function decode(code) {
  return code.replace(/(\d+)(.)/g, (_, count, sign) => sign.repeat(count));
}
const packed = encode('aaabccd');
console.log(packed, decode(packed));
