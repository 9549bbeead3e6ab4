var trail = [];
function visit(mode) {
  try {
    trail.push('try ' + mode);
    if (mode === 'return') return 'returned';
    if (mode === 'throw') throw 'thrown';
    trail.push('fell through');
  } catch (value) {
    trail.push('caught ' + value);
    return 'recovered';
  } finally {
    trail.push('finally');
  }
  return 'end';
}

console.log(visit('return'), visit('throw'), visit('plain'));
console.log(trail.length);
