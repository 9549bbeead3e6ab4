function limiter(limit) {
  const used = new Map();
  return {
    allow(user) {
      const count = (used.get(user) || 0) + 1;
      used.set(user, count);
      return count <= limit;
    },
    reset() { used.clear(); },
  };
}
const gate = limiter(2);
const answers = ['a', 'a', 'b', 'a'].map(user => gate.allow(user));
gate.reset();
console.log(answers.join(), gate.allow('a'));
