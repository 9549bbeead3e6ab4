function compose(layers) {
  return function (context) {
    function dispatch(index) {
      const layer = layers[index];
      if (!layer) return;
      layer(context, () => dispatch(index + 1));
    }
    dispatch(0);
    return context;
  };
}
const app = compose([
  (c, next) => { c.trail.push('in'); next(); c.trail.push('out'); },
  (c, next) => { if (c.allowed) next(); else c.trail.push('denied'); },
  c => c.trail.push('work'),
]);
console.log(app({ trail: [], allowed: true }).trail.join(), app({ trail: [] }).trail.join());
