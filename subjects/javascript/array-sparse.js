var sparse = [1, , 3];
sparse[5] = 6;
var seen = [];
sparse.forEach(function (value, index) {
  seen.push(index + ':' + value);
});
console.log(sparse.length, seen.join(' '), 1 in sparse);
