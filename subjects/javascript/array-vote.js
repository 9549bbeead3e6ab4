var votes = ['red', 'blue', 'red', 'green', 'red'];
var candidate = null;
var lead = 0;
votes.forEach(function (vote) {
  if (lead === 0) candidate = vote;
  lead += vote === candidate ? 1 : -1;
});
var count = votes.filter(function (vote) { return vote === candidate; }).length;
console.log(candidate, count > votes.length / 2);
