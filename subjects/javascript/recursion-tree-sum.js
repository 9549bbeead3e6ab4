const tree = { value: 1, children: [{ value: 2, children: [] }, { value: 3, children: [{ value: 4, children: [] }] }] };
function sum({ value, children }) {
  let total = value;
  for (const child of children) {
    total += sum(child);
  }
  return total;
}
function paths(node, trail = []) {
  const here = [...trail, node.value];
  if (!node.children.length) return [here.join('>')];
  return [].concat(...node.children.map(child => paths(child, here)));
}
console.log(sum(tree), paths(tree).join(' '));
