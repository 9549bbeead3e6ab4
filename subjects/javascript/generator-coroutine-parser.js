function* splitter(separator) {
  let part = '';
  const parts = [];
  for (;;) {
    const sign = yield parts.length;
    if (sign === null) break;
    if (sign === separator) {
      parts.push(part);
      part = '';
    } else {
      part += sign;
    }
  }
  parts.push(part);
  return parts;
}
const machine = splitter(',');
machine.next();
for (const sign of 'ab,c,d') machine.next(sign);
console.log(machine.next(null).value.join('|'));
