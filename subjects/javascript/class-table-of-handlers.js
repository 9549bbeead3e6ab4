var handlers = [
  class A { static can(x) { return typeof x === 'number'; } run(x) { return x + 1; } },
  class B { static can(x) { return typeof x === 'string'; } run(x) { return x + '!'; } },
];
function handle(value) {
  for (var i = 0; i < handlers.length; i++) {
    var Handler = handlers[i];
    if (Handler.can(value)) {
      return new Handler().run(value);
    }
  }
  return 'nobody';
}
console.log(handle(1), handle('a'), handle(null));
