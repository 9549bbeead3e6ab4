function groupBy(list, key) {
  return list.reduce((groups, item) => {
    const name = key(item);
    (groups[name] = groups[name] || []).push(item);
    return groups;
  }, {});
}
const byLength = groupBy(['a', 'bb', 'cc', 'd'], word => word.length);
for (const size of Object.keys(byLength)) {
  console.log(size, byLength[size].join('+'));
}
