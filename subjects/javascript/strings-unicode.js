const flag = '🏁 finish é';
let points = 0;
for (const sign of flag) {
  points++;
}
console.log(flag.length, points, flag.codePointAt(0).toString(16), [...flag].reverse().length);
var normal = 'e\u0301'.normalize();
console.log(normal.length, normal === 'é');
