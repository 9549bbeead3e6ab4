const odd = [NaN, undefined, , 0];
console.log(odd.includes(NaN), odd.indexOf(NaN), odd.includes(undefined), odd.indexOf(undefined), odd.length);
