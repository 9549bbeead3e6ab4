class Heap {
  constructor() { this.items = []; }
  push(value) {
    const items = this.items;
    items.push(value);
    let at = items.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent] <= items[at]) break;
      [items[parent], items[at]] = [items[at], items[parent]];
      at = parent;
    }
  }
  pop() {
    const items = this.items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && items[child + 1] < items[child]) child++;
        if (items[at] <= items[child]) break;
        [items[at], items[child]] = [items[child], items[at]];
        at = child;
      }
    }
    return top;
  }
}
const heap = new Heap();
[5, 3, 8, 1].forEach(n => heap.push(n));
console.log(heap.pop(), heap.pop(), heap.pop());
