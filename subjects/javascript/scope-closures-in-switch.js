function makers(kind) {
  switch (kind) {
    case 'up': {
      let n = 0;
      return () => ++n;
    }
    case 'down': {
      let n = 0;
      return () => --n;
    }
    default:
      return () => 0;
  }
}
const up = makers('up');
up();
console.log(up(), makers('down')(), makers('x')());
