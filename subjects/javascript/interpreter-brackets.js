function execute(code) {
  var tape = [0, 0, 0], head = 0, out = '', open = [];
  for (var at = 0; at < code.length; at++) {
    switch (code[at]) {
      case '>': head++; break;
      case '<': head--; break;
      case '+': tape[head]++; break;
      case '-': tape[head]--; break;
      case '.': out += tape[head] + ' '; break;
      case '[': open.push(at); break;
      case ']':
        if (tape[head]) at = open[open.length - 1];
        else open.pop();
    }
  }
  return out;
}
console.log(execute('+++[>++<-]>.'));
