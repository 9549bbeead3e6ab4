function price(item) {
  switch (item) {
    case 'coffee': return 2;
    case 'cake': {
      const base = 3;
      return base + 0.5;
    }
    case 'water':
    case 'air':
      return 0;
  }
  return -1;
}
console.log(['coffee', 'cake', 'air', 'gold'].map(price).join());
