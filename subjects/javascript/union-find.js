const parent = {};
function find(x) {
  if (parent[x] === undefined) parent[x] = x;
  while (parent[x] !== x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}
function union(a, b) {
  parent[find(a)] = find(b);
}
union('x', 'y');
union('z', 'w');
console.log(find('x') === find('y'), find('x') === find('z'));
union('y', 'z');
console.log(find('x') === find('w'));
