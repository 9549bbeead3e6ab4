function tricky() {
  for (let i = 0; i < 3; i++) {
    try {
      if (i === 1) return 'try ' + i;
    } finally {
      if (i === 1) continue;
    }
  }
  return 'loop end';
}
console.log(tricky());
