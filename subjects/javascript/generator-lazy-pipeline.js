function* naturals() {
  let n = 1;
  while (true) yield n++;
}
function* take(count, source) {
  if (count <= 0) return;
  for (const item of source) {
    yield item;
    if (--count === 0) return;
  }
}
function* map(source, fn) {
  for (const item of source) yield fn(item);
}
function* filter(source, test) {
  for (const item of source) {
    if (test(item)) yield item;
  }
}
const odds = filter(naturals(), n => n % 2);
console.log([...take(4, map(odds, n => n * n))].join());
