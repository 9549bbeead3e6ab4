const key = 'color';
const { [key]: picked, [`${key}Depth`]: depth = 8 } = { color: 'teal' };
console.log(picked, depth);
