var log = [];
var grade = function (score) {
  return score > 90 ? 'A' : score > 80 ? 'B' : score > 70 ? 'C' : (log.push(score), 'F');
};
for (var i = 0, scores = [95, 85, 40]; i < scores.length; i++) {
  log.push(grade(scores[i]));
}
console.log(log.join());
