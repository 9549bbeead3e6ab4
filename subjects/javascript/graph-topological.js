function order(tasks) {
  const done = new Set();
  const result = [];
  function visit(name, trail) {
    if (done.has(name)) return;
    if (trail.includes(name)) throw new Error('cycle at ' + name);
    for (const need of tasks[name] || []) {
      visit(need, [...trail, name]);
    }
    done.add(name);
    result.push(name);
  }
  Object.keys(tasks).forEach(name => visit(name, []));
  return result;
}
console.log(order({ deploy: ['test'], test: ['build'], build: [] }).join(' '));
try {
  order({ a: ['b'], b: ['a'] });
} catch (e) {
  console.log(e.message);
}
