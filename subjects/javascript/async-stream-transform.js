async function* source() {
  yield 'one two';
  yield 'three';
}
async function* words(chunks) {
  for await (const chunk of chunks) {
    for (const word of chunk.split(' ')) {
      yield word;
    }
  }
}
(async function () {
  let longest = '';
  for await (const word of words(source())) {
    if (word.length > longest.length) longest = word;
  }
  console.log(longest);
})();
