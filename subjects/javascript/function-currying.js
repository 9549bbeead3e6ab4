const adder = a => b => c => a + b + c;
const addFive = adder(2)(3);
function partial(fn, ...fixed) {
  return (...rest) => fn(...fixed, ...rest);
}
const volume = (w, h, d) => w * h * d;
const plate = partial(volume, 10, 20);
console.log(addFive(1), plate(0.5));
