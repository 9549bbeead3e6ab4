function pick(n) {
  let trail = '';
  switch (n) {
    case 1:
      trail += 'one ';
    default:
      trail += 'default ';
      break;
    case 2:
      trail += 'two ';
  }
  return trail.trim();
}
console.log(pick(1), '/', pick(2), '/', pick(3));
