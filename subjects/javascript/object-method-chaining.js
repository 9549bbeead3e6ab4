const query = {
  parts: [],
  select(...names) { this.parts.push('select ' + names.join(', ')); return this; },
  from(table) { this.parts.push('from ' + table); return this; },
  where(condition) {
    if (condition) {
      this.parts.push('where ' + condition);
    }
    return this;
  },
  text() { return this.parts.join(' '); },
};
console.log(query.select('id', 'name').from('users').where('').where('age > 3').text());
