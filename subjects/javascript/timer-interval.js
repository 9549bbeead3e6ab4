let beats = 0;
const id = setInterval(() => {
  beats += 1;
  console.log('beat', beats);
  if (beats === 3) {
    clearInterval(id);
  }
}, 10);
