const options = { retries: 0, name: '' };
options.retries ??= 5;
options.timeout ??= 30;
options.name ||= 'anonymous';
options.retries &&= 1;
console.log(JSON.stringify(options));
