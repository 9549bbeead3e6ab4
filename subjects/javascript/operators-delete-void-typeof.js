var record = { keep: 1, drop: 2 };
var answer = delete record.drop;
console.log(answer, 'drop' in record, void 0 === undefined);
console.log(typeof null, typeof undefined, typeof (() => 1), typeof 1n === 'bigint');
