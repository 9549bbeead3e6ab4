var text = 'the cat and the dog and the bird';
var counts = {};
text.split(' ').forEach(function (word) {
  counts[word] = (counts[word] || 0) + 1;
});
var words = Object.keys(counts).sort(function (a, b) {
  return counts[b] - counts[a] || (a < b ? -1 : 1);
});
console.log(words.slice(0, 3).map(w => w + ' ' + counts[w]).join(', '));
