function diff(a, b, path = '') {
  const changes = [];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const here = path + key;
    if (!(key in a)) changes.push('+' + here);
    else if (!(key in b)) changes.push('-' + here);
    else if (typeof a[key] === 'object' && typeof b[key] === 'object') changes.push(...diff(a[key], b[key], here + '.'));
    else if (a[key] !== b[key]) changes.push('~' + here);
  }
  return changes;
}
console.log(diff({ x: 1, y: { z: 2, w: 3 }, q: 0 }, { x: 1, y: { z: 5 }, r: 1 }).join(' '));
