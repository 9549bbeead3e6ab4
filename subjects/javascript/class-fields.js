class Timer {
  ticks = 0;
  limit = 3;
  onTick = () => {
    this.ticks++;
    return this.ticks >= this.limit;
  };
}
const timer = new Timer();
const tick = timer.onTick;
while (!tick()) {
  console.log('tick', timer.ticks);
}
