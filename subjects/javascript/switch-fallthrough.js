function days(month, leap) {
  var result;
  switch (month) {
    case 2:
      result = leap ? 29 : 28;
      break;
    case 4:
    case 6:
    case 9:
    case 11:
      result = 30;
      break;
    default:
      result = 31;
  }
  return result;
}
var year = 0;
for (var m = 1; m <= 12; m++) {
  year += days(m, false);
}
console.log(year, days(2, true));
