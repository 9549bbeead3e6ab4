const people = [
  { name: 'Ina', age: 17 },
  { name: 'Jon', age: 42 },
  { name: 'Kim', age: 23 },
];
const adult = ({ age }) => age >= 18;
const firstAdult = people.find(adult);
console.log(firstAdult.name, people.every(adult), people.some(adult), people.findIndex(p => p.age === 23));
