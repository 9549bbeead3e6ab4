function hash(text) {
  let h = 5381;
  for (let i = 0; i < text.length; i++) {
    h = ((h << 5) + h + text.charCodeAt(i)) >>> 0;
  }
  return h;
}
const buckets = [[], [], []];
for (const word of ['ant', 'bee', 'cat', 'dog']) {
  buckets[hash(word) % buckets.length].push(word);
}
console.log(buckets.map(b => b.length).join(), hash(''));
