let n = 0;
for (; n < 5; n++);
while (n-- > 2);
do ; while (++n < 4);
console.log(n);
