class Num { constructor(n) { this.n = n; } accept(v) { return v.num(this); } }
class Add { constructor(l, r) { this.l = l; this.r = r; } accept(v) { return v.add(this); } }
const evaluator = {
  num: node => node.n,
  add: node => node.l.accept(evaluator) + node.r.accept(evaluator),
};
const printer = {
  num: node => String(node.n),
  add(node) {
    const left = node.l.accept(this);
    return '(' + left + '+' + node.r.accept(this) + ')';
  },
};
const tree = new Add(new Num(1), new Add(new Num(2), new Num(3)));
console.log(tree.accept(printer), tree.accept(evaluator));
