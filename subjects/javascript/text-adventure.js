const rooms = {
  hall: { exits: { north: 'library' }, item: 'lamp' },
  library: { exits: { south: 'hall', down: 'cellar' }, item: null },
  cellar: { exits: { up: 'library' }, item: 'gold' },
};
function play(commands) {
  let here = 'hall';
  const bag = [];
  for (const command of commands) {
    const room = rooms[here];
    if (command === 'take') {
      if (room.item) bag.push(room.item);
      room.item = null;
    } else if (room.exits[command]) {
      here = room.exits[command];
    } else {
      return 'cannot go ' + command + ' from ' + here;
    }
  }
  return here + ' with ' + bag.join(' and ');
}
console.log(play(['take', 'north', 'down', 'take']));
console.log(play(['west']));
