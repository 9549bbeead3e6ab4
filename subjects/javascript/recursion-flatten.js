function flatten(list, depth) {
  var flat = [];
  for (var index = 0; index < list.length; index++) {
    var item = list[index];
    if (Array.isArray(item) && depth > 0) {
      flat = flat.concat(flatten(item, depth - 1));
    } else {
      flat.push(item);
    }
  }
  return flat;
}
console.log(JSON.stringify(flatten([1, [2, [3, [4]]]], 2)));
