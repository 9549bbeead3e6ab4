const tasks = [];
let sum = 0;
for (let i = 1; i <= 4; i++) {
  const weight = i * i;
  tasks.push(function () {
    sum += weight;
    return sum;
  });
}
for (const task of tasks.reverse()) {
  task();
}
console.log(sum, tasks[0]());
