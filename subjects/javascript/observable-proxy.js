// A proxy that tells of every change.
const changes = [];
function watch(target) {
  return new Proxy(target, {
    set(object, key, value) {
      changes.push(key + ':' + object[key] + '->' + value);
      object[key] = value;
      return true;
    },
    deleteProperty(object, key) {
      changes.push('-' + key);
      return delete object[key];
    },
  });
}
const state = watch({ count: 0 });
state.count = 1;
state.name = 'n';
delete state.name;
console.log(changes.join(' '));
