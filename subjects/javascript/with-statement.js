var settings = { color: 'red', size: 3 };
var size = 1;
with (settings) {
  size = size + 4;
  var text = color + size;
}
console.log(text, settings.size, size);
