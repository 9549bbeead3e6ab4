var elevator = { floor: 0, stops: [], trace: [] };
function request(floor) {
  if (elevator.stops.indexOf(floor) < 0) elevator.stops.push(floor);
}
function run() {
  while (elevator.stops.length) {
    var target = elevator.stops.shift();
    var step = target > elevator.floor ? 1 : -1;
    while (elevator.floor !== target) {
      elevator.floor += step;
      elevator.trace.push(elevator.floor);
    }
  }
}
request(2);
request(1);
request(2);
run();
console.log(elevator.trace.join());
