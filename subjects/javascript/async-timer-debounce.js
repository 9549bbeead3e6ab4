function debounce(action, wait) {
  let timer = null;
  return function (...args) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      action(...args);
    }, wait);
  };
}

var seen = [];
const save = debounce(text => {
  seen.push(text);
  console.log('saved', text);
}, 20);
save('h');
save('he');
save('hey');
setTimeout(() => console.log(seen.length), 100);
