function camel(text) {
  return text.replace(/[-_](\w)/g, function (_, letter) {
    return letter.toUpperCase();
  });
}
function snake(text) {
  var out = '';
  for (var i = 0; i < text.length; i++) {
    var c = text.charAt(i);
    out += c >= 'A' && c <= 'Z' ? '_' + c.toLowerCase() : c;
  }
  return out;
}
console.log(camel('make-it_so'), snake('makeItSo'));
