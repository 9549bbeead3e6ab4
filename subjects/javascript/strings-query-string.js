function parse(query) {
  const result = {};
  for (const part of query.replace(/^\?/, '').split('&')) {
    if (!part) continue;
    const [key, value = true] = part.split('=').map(decodeURIComponent);
    result[key] = key in result ? [].concat(result[key], value) : value;
  }
  return result;
}
console.log(JSON.stringify(parse('?a=1&b=x%20y&a=2&flag')));
