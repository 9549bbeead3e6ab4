const data = { a: [1, null, { b: true }], when: undefined, f() {} };
const text = JSON.stringify(data, null, 1);
const back = JSON.parse(text, (key, value) => (value === true ? 'yes' : value));
console.log(text.length, back.a[2].b, 'when' in back);
