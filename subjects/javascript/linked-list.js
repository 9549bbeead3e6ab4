class Node {
  constructor(value, next = null) {
    this.value = value;
    this.next = next;
  }
}
function fromArray(values) {
  let head = null;
  for (let i = values.length - 1; i >= 0; i--) {
    head = new Node(values[i], head);
  }
  return head;
}
function reverse(node) {
  let previous = null;
  while (node) {
    [node.next, previous, node] = [previous, node, node.next];
  }
  return previous;
}
let text = '';
for (let n = reverse(fromArray([1, 2, 3])); n; n = n.next) {
  text += n.value;
}
console.log(text);
