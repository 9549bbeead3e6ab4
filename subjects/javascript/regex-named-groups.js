const pattern = /(\d{4})-(\d{2})-(\d{2})/;
const dates = ['on 2020-02-29', 'never', '1999-12-31!'];
const years = [];
for (const text of dates) {
  const found = text.match(pattern);
  years.push(found ? Number(found[1]) : null);
}
console.log(years.join('/'), 'a1b22c333'.match(/\d+/g).join());
