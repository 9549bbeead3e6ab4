const log = [
  '12:03 INFO started',
  '12:04 WARN disk at 91%',
  'garbage',
  '12:09 INFO done',
];
const pattern = /^(\d+):(\d+) (\w+) (.*)$/;
var warnings = 0;
for (const line of log) {
  const match = pattern.exec(line);
  if (!match) {
    console.log('skipped', line);
    continue;
  }
  const [, hour, minute, level, message] = match;
  if (level === 'WARN') warnings++;
  console.log(hour * 60 + +minute, message);
}
console.log(warnings);
