function shift(text, by) {
  let result = '';
  for (const sign of text) {
    const code = sign.charCodeAt(0);
    if (code >= 97 && code <= 122) {
      result += String.fromCharCode((code - 97 + by + 26) % 26 + 97);
    } else {
      result += sign;
    }
  }
  return result;
}
const secret = shift('attack at dawn', 3);
console.log(secret);
console.log(shift(secret, -3));
