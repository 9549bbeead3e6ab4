const staff = [['Bo', 2], ['Al', 1], ['Cy', 2], ['Di', 1]];
staff.sort((a, b) => a[1] - b[1]);
console.log(staff.map(([name]) => name).join());
staff.sort(([a], [b]) => (a > b ? -1 : 1));
console.log(staff[0][0]);
