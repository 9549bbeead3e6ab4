// Classes as values: a table from name to class.
const animals = {
  dog: class { speak() { return 'woof'; } },
  cat: class { speak() { return 'meow'; } },
  fish: class { speak() { return ''; } },
};

var noises = [];
for (const kind in animals) {
  const Animal = animals[kind];
  const noise = new Animal().speak();
  if (noise) noises.push(kind + ':' + noise);
}
console.log(noises.join(' '));
