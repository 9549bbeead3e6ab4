function title(text) {
  const small = new Set(['of', 'the', 'and']);
  return text.split(' ').map((word, index) => {
    if (index > 0 && small.has(word)) return word;
    return word[0].toUpperCase() + word.slice(1);
  }).join(' ');
}
console.log(title('the lord of the rings'));
