class Base {}
class Derived extends Base {}
const d = new Derived();
d.flag = undefined;
console.log(d instanceof Base, d instanceof Derived, 'flag' in d, 'other' in d, !('x' in { x: 1 }));
