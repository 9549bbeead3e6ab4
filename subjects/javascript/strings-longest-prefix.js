function prefix(words) {
  if (!words.length) return '';
  let common = words[0];
  for (const word of words.slice(1)) {
    while (!word.startsWith(common)) {
      common = common.slice(0, -1);
      if (common === '') return '';
    }
  }
  return common;
}
console.log(prefix(['flower', 'flow', 'flight']), '[' + prefix(['a', 'b']) + ']');
