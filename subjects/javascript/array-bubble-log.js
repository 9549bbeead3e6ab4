var swaps = 0;
function swap(list, i, j) {
  var held = list[i];
  list[i] = list[j];
  list[j] = held;
  swaps++;
}
var data = [3, 1, 2];
for (var end = data.length - 1; end > 0; end--) {
  for (var k = 0; k < end; k++) {
    if (data[k] > data[k + 1]) swap(data, k, k + 1);
  }
}
console.log(data.join(), swaps);
