function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > width) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = last ? last + ' ' + word : word;
    }
  }
  return lines;
}
wrap('the quick brown fox jumps', 10).forEach((line, n) => console.log(n, line));
