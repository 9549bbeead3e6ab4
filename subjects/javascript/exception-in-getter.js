const sensor = {
  reads: 0,
  get value() {
    this.reads++;
    if (this.reads % 2) throw new Error('not ready');
    return 7;
  },
};
const log = [];
for (let i = 0; i < 3; i++) {
  try {
    log.push(sensor.value);
  } catch (error) {
    log.push(error.message);
  }
}
console.log(log.join());
