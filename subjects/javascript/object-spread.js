const base = { color: 'red', size: { w: 1, h: 2 } };
const copy = { ...base, color: 'blue' };
const deep = { ...base, size: { ...base.size, h: 9 } };
copy.size.w = 100;
const { color, ...rest } = deep;
console.log(base.size.w, deep.size.w, color, Object.keys(rest).join());
