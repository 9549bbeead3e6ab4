const codes = { ok: 200, missing: 404, broken: 500 };
const names = {};
for (const [name, code] of Object.entries(codes)) {
  names[code] = name;
}
const list = Object.values(codes).map(code => names[code]);
console.log(list.join(), names[404]);
