var byVar = [];
for (var i = 0; i < 3; i++) {
  byVar.push(function () { return i; });
}
const byLet = [];
for (let j = 0; j < 3; j++) {
  byLet.push(() => j);
}
console.log(byVar.map(f => f()).join());
console.log(byLet.map(f => f()).join());
