function Animal(name) {
  this.name = name;
}
Animal.prototype.speak = function () {
  return this.name + ' makes a noise';
};
function Dog(name) {
  Animal.call(this, name);
}
Dog.prototype = Object.create(Animal.prototype);
Dog.prototype.constructor = Dog;
Dog.prototype.speak = function () {
  return Animal.prototype.speak.call(this) + ': woof';
};
var rex = new Dog('Rex');
console.log(rex.speak(), rex instanceof Animal);
