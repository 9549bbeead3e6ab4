function insertionSort(a) {
  for (var i = 1; i < a.length; i++) {
    var key = a[i];
    var j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
  return a;
}
console.log(insertionSort([4, 2, 3, 1]));
