let counter = 0;
function next(id = ++counter, label = 'n' + id, list = []) {
  list.push(label);
  return list;
}
console.log(next().concat(next()).join(), next(9)[0], counter);
