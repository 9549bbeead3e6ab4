var text = 'interactive debugger';
var vowels = 0;
for (var at in text) {
  switch (text[at]) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
      vowels++;
      break;
  }
}
console.log(vowels + ' of ' + text.length);
