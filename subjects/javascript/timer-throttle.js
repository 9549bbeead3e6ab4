function throttle(fn, wait) {
  let ready = true;
  return (...args) => {
    if (!ready) return false;
    ready = false;
    setTimeout(() => { ready = true; }, wait);
    fn(...args);
    return true;
  };
}
const hits = [];
const click = throttle(n => hits.push(n), 50);
click(1);
click(2);
setTimeout(() => click(3), 60);
setTimeout(() => console.log(hits.join()), 100);
