class Door {
  constructor() { this.state = Door.closed; }
  press() { this.state = this.state.press(this) || this.state; return this; }
}
Door.log = [];
Door.closed = { press() { Door.log.push('opening'); return Door.open; } };
Door.open = { press() { Door.log.push('closing'); return Door.closed; } };
new Door().press().press().press();
console.log(Door.log.join(' '));
