var text = 'stressed';
var out = '';
var i = text.length;
while (i) {
  out += text[--i];
}
console.log(out);
