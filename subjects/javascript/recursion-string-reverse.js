var calls = 0;
function reverse(text) {
  calls++;
  if (text === '') {
    return '';
  }
  return reverse(text.slice(1)) + text[0];
}
console.log(reverse('abc'), calls);
