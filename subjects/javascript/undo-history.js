class Editor {
  constructor() { this.text = ''; this.past = []; this.future = []; }
  type(more) {
    this.past.push(this.text);
    this.future.length = 0;
    this.text += more;
  }
  undo() {
    if (!this.past.length) return false;
    this.future.push(this.text);
    this.text = this.past.pop();
    return true;
  }
  redo() {
    if (!this.future.length) return false;
    this.past.push(this.text);
    this.text = this.future.pop();
    return true;
  }
}
const ed = new Editor();
ed.type('a');
ed.type('b');
ed.undo();
console.log(ed.text, ed.redo(), ed.text, ed.redo());
