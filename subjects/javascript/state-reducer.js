function reducer(state = { todos: [], next: 1 }, action) {
  switch (action.type) {
    case 'add':
      return { todos: [...state.todos, { id: state.next, text: action.text, done: false }], next: state.next + 1 };
    case 'toggle':
      return { ...state, todos: state.todos.map(t => (t.id === action.id ? { ...t, done: !t.done } : t)) };
    default:
      return state;
  }
}
let state;
for (const action of [{ type: 'init' }, { type: 'add', text: 'tea' }, { type: 'add', text: 'nap' }, { type: 'toggle', id: 2 }]) {
  state = reducer(state, action);
}
console.log(state.todos.map(t => t.text + (t.done ? ' x' : '')).join(', '));
