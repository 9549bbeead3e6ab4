var counterModule = (function (start) {
  var count = start;
  var history = [];
  function record(change) {
    history.push(change);
    count += change;
    return count;
  }
  return { add: function (n) { return record(n); }, back: function () { return record(-history.pop()); } };
})(10);
counterModule.add(5);
counterModule.add(7);
console.log(counterModule.back());
