function recorder() {
  const events = [];
  const at = (() => {
    let time = 0;
    return () => ++time;
  })();
  return {
    note(text) { events.push(at() + ' ' + text); },
    dump: () => events.join('; '),
  };
}
const rec = recorder();
rec.note('start');
rec.note('stop');
console.log(rec.dump());
