function validate(user) {
  if (!user.name) {
    throw new Error('a user needs a name');
  }
  return user.name.trim();
}

console.log(validate({ name: ' Eve ' }));
console.log(validate({}));
