function outer(list, size = list.length, last = () => list[size - 1]) {
  list = ['replaced'];
  return last();
}
console.log(outer(['a', 'b']), outer(['z'], 1));
