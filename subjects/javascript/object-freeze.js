const origin = Object.freeze({ x: 0, tags: ['a'] });
origin.x = 5;
origin.tags.push('b');
const moved = Object.assign({}, origin, { x: 7 });
console.log(origin.x, origin.tags.length, moved.x, Object.isFrozen(origin), Object.isFrozen(moved));
