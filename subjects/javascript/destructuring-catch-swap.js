let a = 1, b = 2, c = 3;
[a, b, c] = [c, a, b];
const state = {};
[state.first, state['second']] = ['f', 's'];
({ length: state.size } = 'four');
console.log(a, b, c, state.first, state.second, state.size);
