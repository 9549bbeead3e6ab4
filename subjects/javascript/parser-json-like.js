function read(text) {
  let i = 0;
  const fail = what => { throw new SyntaxError(what + ' at ' + i); };
  function value() {
    if (text[i] === '[') return list();
    const found = /^\d+/.exec(text.slice(i));
    if (!found) fail('no value');
    i += found[0].length;
    return +found[0];
  }
  function list() {
    const items = [];
    i++;
    while (text[i] !== ']') {
      items.push(value());
      if (text[i] === ',') i++;
      else if (text[i] !== ']') fail('no comma');
    }
    i++;
    return items;
  }
  return value();
}
console.log(JSON.stringify(read('[1,[2,3],4]')));
try {
  read('[1;2]');
} catch (error) {
  console.log(error.message);
}
