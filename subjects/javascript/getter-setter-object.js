const clock = {
  minutes: 0,
  get hours() { return Math.floor(this.minutes / 60); },
  set hours(value) {
    if (value < 0) throw new RangeError('negative');
    this.minutes = value * 60 + this.minutes % 60;
  },
};
clock.minutes = 135;
console.log(clock.hours);
clock.hours = 5;
console.log(clock.minutes);
try {
  clock.hours = -1;
} catch (e) {
  console.log(e instanceof RangeError);
}
