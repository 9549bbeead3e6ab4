function key(word) {
  return [...word].sort().join('');
}
const groups = new Map();
for (const word of ['listen', 'silent', 'cat', 'act', 'dog']) {
  const k = key(word);
  if (!groups.has(k)) groups.set(k, []);
  groups.get(k).push(word);
}
for (const words of groups.values()) {
  if (words.length > 1) console.log(words.join(' = '));
}
