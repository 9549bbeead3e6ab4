const READ = 1, WRITE = 2, RUN = 4;
function describe(mode) {
  let text = '';
  text += mode & READ ? 'r' : '-';
  text += mode & WRITE ? 'w' : '-';
  text += mode & RUN ? 'x' : '-';
  return text;
}
let mode = READ | RUN;
mode ^= WRITE;
mode &= ~RUN;
console.log(describe(mode), describe(7), describe(0));
