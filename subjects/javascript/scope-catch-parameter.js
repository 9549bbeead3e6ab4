var e = 'global e';
function attempt() {
  try {
    throw { code: 7, text: 'seven' };
  } catch ({ code, text }) {
    var result = code + text;
  }
  return result + typeof code;
}
try {
  throw 'local e';
} catch (e) {
  console.log(e);
}
console.log(e, attempt());
