const big = BigInt(2) ** BigInt(64);
let factorial = BigInt(1);
for (let n = 1; n <= 20; n++) {
  factorial *= BigInt(n);
}
console.log(String(big), String(factorial), big > factorial);
