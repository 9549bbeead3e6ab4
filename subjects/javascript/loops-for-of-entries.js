const weekdays = ['mon', 'tue', 'wed'];
for (const [index, day] of weekdays.entries()) {
  console.log(index + 1, day);
}
for (const index of weekdays.keys()) {
  if (index === 1) console.log('middle', weekdays[index]);
}
