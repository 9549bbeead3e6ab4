function merge(a, b) {
  var out = [], i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] <= b[j]) out.push(a[i++]);
    else out.push(b[j++]);
  }
  return out.concat(a.slice(i), b.slice(j));
}
function sort(list) {
  if (list.length <= 1) return list;
  var half = list.length >> 1;
  return merge(sort(list.slice(0, half)), sort(list.slice(half)));
}
console.log(sort([9, 4, 7, 1]).join());
