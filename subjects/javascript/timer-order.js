const log = [];
setTimeout(() => log.push('b'), 20);
setTimeout(() => log.push('a'), 10);
const never = setTimeout(() => log.push('never'), 15);
clearTimeout(never);
setTimeout(list => console.log(list.join('')), 30, log);
