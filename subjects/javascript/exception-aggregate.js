class Problems extends Error {
  constructor(list) {
    super(list.length + ' problems');
    this.list = list;
  }
}
function validate(form) {
  const list = [];
  if (!form.name) list.push('name');
  if (!(form.age > 0)) list.push('age');
  if (list.length) throw new Problems(list);
  return 'valid';
}
for (const form of [{ name: 'A', age: 3 }, { age: -1 }]) {
  try {
    console.log(validate(form));
  } catch (error) {
    console.log(error.message, error.list.join());
  }
}
