let x = 'outer';
{
  let x = 'block';
  {
    const x = 'inner';
    console.log(x);
  }
  console.log(x);
}
console.log(x);
if (true) {
  var leaked = 'function scoped';
  let kept = 'block scoped';
  console.log(kept);
}
console.log(leaked, typeof kept);
