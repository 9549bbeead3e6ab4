class Trie {
  constructor() { this.root = {}; }
  add(word) {
    let node = this.root;
    for (const letter of word) {
      node = node[letter] = node[letter] || {};
    }
    node.end = true;
  }
  *words(node = this.root, prefix = '') {
    if (node.end) yield prefix;
    for (const letter in node) {
      if (letter !== 'end') yield* this.words(node[letter], prefix + letter);
    }
  }
}
const trie = new Trie();
['car', 'cart', 'cat'].forEach(w => trie.add(w));
console.log([...trie.words()].join(' '));
