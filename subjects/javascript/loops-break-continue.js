var found = [];
for (var i = 0; ; i++) {
  if (i > 20) break;
  if (i % 2) continue;
  if (i % 3) continue;
  found.push(i);
}
console.log(found.join());
