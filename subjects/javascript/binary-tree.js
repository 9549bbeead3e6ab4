function insert(node, value) {
  if (!node) return { value, left: null, right: null };
  if (value < node.value) node.left = insert(node.left, value);
  else node.right = insert(node.right, value);
  return node;
}
function depth(node) {
  return node ? 1 + Math.max(depth(node.left), depth(node.right)) : 0;
}
let root = null;
for (const value of [5, 2, 8, 1, 9]) {
  root = insert(root, value);
}
console.log(depth(root), root.left.left.value);
