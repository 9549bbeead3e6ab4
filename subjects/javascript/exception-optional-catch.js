function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
console.log(isJson('{"a":1}'), isJson('{a:1}'), isJson('3'));
