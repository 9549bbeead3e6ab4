for (let row = 1; row <= 3; row++) {
  let line = '';
  for (let column = 1; column <= 3; column++) {
    line += String(row * column).padStart(3);
  }
  console.log(line);
}
