const log = [];
const target = {
  get value() { log.push('get'); return 0; },
  set value(v) { log.push('set ' + v); },
};
target.value ||= 7;
target.value &&= 8;
target.value ??= 9;
console.log(log.join());
