function pair() {
  let value = 'none';
  function set(v) { value = v; }
  function get() { return value; }
  return [set, get];
}
const [set, get] = pair();
const before = get();
set('some');
console.log(before, get());
