var settings = Object.create({ inherited: true });
settings.color = 'blue';
settings.size = 12;
settings.visible = false;

var own = [];
var inherited = [];
for (var key in settings) {
  if (Object.prototype.hasOwnProperty.call(settings, key)) {
    own.push(key);
  } else {
    inherited.push(key);
  }
}
console.log(own.join(), inherited.join());
