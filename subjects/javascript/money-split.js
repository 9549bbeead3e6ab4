function split(cents, people) {
  const share = Math.floor(cents / people);
  let left = cents - share * people;
  const shares = [];
  for (let i = 0; i < people; i++) {
    const extra = left > 0 ? 1 : 0;
    left -= extra;
    shares.push(share + extra);
  }
  return shares;
}
console.log(split(1000, 3).join(), split(5, 5).join());
