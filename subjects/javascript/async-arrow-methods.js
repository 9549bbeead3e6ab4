const service = {
  items: ['x'],
  add: async item => {
    await 0;
    service.items.push(item);
    return service.items.length;
  },
  async addAll(list) {
    let count = 0;
    for (const item of list) count = await this.add(item);
    return count;
  },
};
service.addAll(['y', 'z']).then(n => console.log(n, service.items.join('')));
