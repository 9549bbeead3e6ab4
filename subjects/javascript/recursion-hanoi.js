var moves = 0;
function hanoi(disks, from, to, via) {
  if (disks === 0) return;
  hanoi(disks - 1, from, via, to);
  moves++;
  if (disks === 3) console.log('largest', from, '->', to);
  hanoi(disks - 1, via, to, from);
}
hanoi(3, 'A', 'C', 'B');
console.log(moves);
