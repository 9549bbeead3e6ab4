class Temperature {
  constructor(celsius) {
    this._celsius = celsius;
  }
  get fahrenheit() {
    return this._celsius * 9 / 5 + 32;
  }
  set fahrenheit(value) {
    this._celsius = (value - 32) * 5 / 9;
  }
  static boiling() {
    return new Temperature(100);
  }
}

var t = Temperature.boiling();
console.log(t.fahrenheit);
t.fahrenheit = 50;
console.log(Math.round(t._celsius));
