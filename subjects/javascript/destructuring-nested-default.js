function connect({ host = 'localhost', port: { http = 80, https = 443 } = {}, flags: [first = 'none'] = [] } = {}) {
  return [host, http, https, first].join(':');
}
console.log(connect());
console.log(connect({ port: { http: 8080 }, flags: ['fast'] }));
