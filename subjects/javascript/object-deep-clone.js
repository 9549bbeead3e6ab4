function clone(value, seen = new Map()) {
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const copy = Array.isArray(value) ? [] : {};
  seen.set(value, copy);
  for (const key of Object.keys(value)) {
    copy[key] = clone(value[key], seen);
  }
  return copy;
}
const ring = { name: 'ring', links: [1, 2] };
ring.self = ring;
const other = clone(ring);
console.log(other !== ring, other.self === other, other.links.join());
