class Ticket {
  constructor(title) {
    this.title = title;
    this.number = Ticket.next++;
  }
  static reset() {
    Ticket.next = 1;
  }
}
Ticket.reset();

const tickets = ['login', 'search', 'logout'].map(title => new Ticket(title));
let text = '';
for (const ticket of tickets) {
  text += '#' + ticket.number + ' ' + ticket.title + ';';
}
console.log(text);
