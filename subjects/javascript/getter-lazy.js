const report = {
  get data() {
    const value = [1, 2, 3].map(n => n * 2);
    Object.defineProperty(this, 'data', { value });
    return value;
  },
};
console.log(report.data === report.data, report.data.join());
