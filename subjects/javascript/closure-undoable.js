function undoable(initial) {
  let value = initial;
  const undo = [];
  return {
    set(next) {
      const previous = value;
      undo.push(() => { value = previous; });
      value = next;
    },
    undo() {
      const step = undo.pop();
      if (step) step();
      return value;
    },
  };
}
const cell = undoable(1);
cell.set(2);
cell.set(3);
console.log(cell.undo(), cell.undo(), cell.undo());
