function* entries(object) {
  for (const key of Object.keys(object)) {
    yield [key, object[key]];
  }
}
const size = { width: 10, height: 20 };
let text = '';
for (const [key, value] of entries(size)) {
  text += `${key}=${value};`;
}
console.log(text);
