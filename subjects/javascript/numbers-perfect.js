function divisors(n) {
  var list = [];
  for (var d = 1; d * d <= n; d++) {
    if (n % d) continue;
    list.push(d);
    if (d !== n / d) list.push(n / d);
  }
  return list;
}
for (var n = 2; n < 30; n++) {
  var sum = 0;
  divisors(n).forEach(function (d) { if (d < n) sum += d; });
  if (sum === n) console.log(n, 'is perfect');
}
