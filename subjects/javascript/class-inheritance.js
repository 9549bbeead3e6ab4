class Shape {
  constructor(name) {
    this.name = name;
  }
  area() {
    return 0;
  }
  describe() {
    return this.name + ' has area ' + this.area().toFixed(1);
  }
}

class Circle extends Shape {
  constructor(radius) {
    super('circle');
    this.radius = radius;
  }
  area() {
    return Math.PI * this.radius ** 2;
  }
}

class Square extends Shape {
  constructor(side) {
    super('square');
    this.side = side;
  }
  area() {
    return this.side * this.side;
  }
  describe() {
    const text = super.describe();
    return text + '!';
  }
}

for (const shape of [new Circle(1), new Square(2), new Shape('point')]) {
  console.log(shape.describe());
}
