var handlers = [];
for (var i = 0; i < 3; i++) {
  (function (captured) {
    handlers.push(function () { return captured * 10; });
  })(i);
}
console.log(handlers.map(function (h) { return h(); }).join());
