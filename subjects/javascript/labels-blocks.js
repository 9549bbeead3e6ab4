function check(list) {
  verdict: {
    for (const n of list) {
      if (n < 0) break verdict;
    }
    return 'all good';
  }
  return 'negative found';
}
console.log(check([1, 2]), check([1, -2]));
