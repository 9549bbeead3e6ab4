var unit = {
  factor: 3,
  scale: function (values) {
    var self = this;
    return values.map(function (v) { return v * self.factor; });
  },
  scaleArrow(values) {
    return values.map(v => v * this.factor);
  },
};
var loose = unit.scale.bind({ factor: 10 });
console.log(unit.scale([1, 2]).join(), unit.scaleArrow([1]).join(), loose([1]).join());
