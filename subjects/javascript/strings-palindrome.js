function clean(text) {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
function isPalindrome(text) {
  const letters = clean(text);
  for (let i = 0, j = letters.length - 1; i < j; i++, j--) {
    if (letters[i] !== letters[j]) return false;
  }
  return true;
}
console.log(isPalindrome('Never odd or even'), isPalindrome('Not this'));
