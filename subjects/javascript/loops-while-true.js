var attempts = 0;
var secret = 11;
var low = 0, high = 16;
while (true) {
  attempts++;
  var guess = (low + high) >> 1;
  if (guess === secret) break;
  if (guess < secret) {
    low = guess + 1;
  } else {
    high = guess - 1;
  }
}
console.log('found in', attempts);
