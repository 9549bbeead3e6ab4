function largest() {
  var best = arguments[0];
  for (var i = 1; i < arguments.length; i++) {
    if (arguments[i] > best) best = arguments[i];
  }
  return best;
}
function shout() {
  return Array.prototype.map.call(arguments, function (word) { return word.toUpperCase(); }).join(' ');
}
console.log(largest(3, 9, 4), shout('hi', 'you'));
