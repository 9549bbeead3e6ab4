class Exporter {
  export(rows) {
    const lines = [];
    for (const row of rows) {
      lines.push(this.line(row));
    }
    return lines.join(this.separator);
  }
  line() { throw new Error('not implemented'); }
  get separator() { return '\n'; }
}
class Csv extends Exporter {
  line(row) { return row.join(','); }
  get separator() { return ';'; }
}
console.log(new Csv().export([[1, 2], [3, 4]]));
try {
  new Exporter().export([[1]]);
} catch (error) {
  console.log(error.message);
}
