function light(state, event) {
  switch (state) {
    case 'red':
      if (event === 'timer') return 'green';
      break;
    case 'green':
      if (event === 'timer') return 'yellow';
    case 'yellow':
      if (event === 'timer') return 'red';
      if (event === 'fault') return 'blinking';
      break;
    default:
      return 'off';
  }
  return state;
}

let now = 'red';
for (const event of ['timer', 'timer', 'fault', 'timer']) {
  now = light(now, event);
  console.log(event, now);
}
