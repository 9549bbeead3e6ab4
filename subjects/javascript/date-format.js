const moment = new Date(Date.UTC(2021, 6, 4, 9, 5));
const two = n => (n < 10 ? '0' : '') + n;
function format(date) {
  const parts = [date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate())];
  return parts.join('-') + ' ' + two(date.getUTCHours()) + ':' + two(date.getUTCMinutes());
}
console.log(format(moment), moment.getUTCDay());
