function daysBetween(a, b) {
  const day = 24 * 60 * 60 * 1000;
  return Math.round((Date.UTC(...b) - Date.UTC(...a)) / day);
}
function leap(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
console.log(daysBetween([2024, 1, 28], [2024, 2, 1]), [1900, 2000, 2023, 2024].filter(leap).join());
