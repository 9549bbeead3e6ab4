function evaluate(text) {
  let at = 0;
  function expression() {
    let value = term();
    while (text[at] === '+' || text[at] === '-') {
      value = text[at++] === '+' ? value + term() : value - term();
    }
    return value;
  }
  function term() {
    let value = factor();
    while (text[at] === '*') {
      at++;
      value *= factor();
    }
    return value;
  }
  function factor() {
    if (text[at] === '(') {
      at++;
      const value = expression();
      at++;
      return value;
    }
    let start = at;
    while (text[at] >= '0' && text[at] <= '9') at++;
    return Number(text.slice(start, at));
  }
  return expression();
}
console.log(evaluate('2+3*4'), evaluate('(2+3)*4-1'));
