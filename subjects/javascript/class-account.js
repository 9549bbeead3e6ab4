class Account {
  constructor(owner) {
    this.owner = owner;
    this.balance = 0;
  }

  deposit(amount) {
    if (amount <= 0) throw new RangeError('amount must be positive');
    this.balance += amount;
    return this;
  }

  withdraw(amount) {
    if (amount > this.balance) {
      throw new Error('insufficient funds');
    }
    this.balance -= amount;
    return this;
  }
}

var account = new Account('Grace');
account.deposit(100).withdraw(30);
try {
  account.withdraw(500);
} catch (error) {
  console.log(error.message);
}
console.log(account.owner, account.balance);
