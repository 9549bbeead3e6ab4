function container() {
  const makers = {};
  const built = {};
  return {
    register(name, maker) { makers[name] = maker; },
    get(name) {
      if (!(name in built)) {
        if (!makers[name]) throw new Error('no ' + name);
        built[name] = makers[name](this);
      }
      return built[name];
    },
  };
}
const c = container();
c.register('log', () => []);
c.register('greeter', self => who => self.get('log').push('hello ' + who));
c.get('greeter')('world');
console.log(c.get('log')[0]);
try {
  c.get('mailer');
} catch (error) {
  console.log(error.message);
}
