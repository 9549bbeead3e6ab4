class Ledger {
  constructor(accounts) { this.accounts = accounts; }
  transfer(from, to, amount) {
    const before = { ...this.accounts };
    try {
      this.take(from, amount);
      this.give(to, amount);
      return true;
    } catch (problem) {
      this.accounts = before;
      console.log('rolled back:', problem.message);
      return false;
    }
  }
  take(name, amount) {
    if (this.accounts[name] < amount) throw new Error('too little money');
    this.accounts[name] -= amount;
  }
  give(name, amount) {
    if (!(name in this.accounts)) throw new Error('nobody called ' + name);
    this.accounts[name] += amount;
  }
}
const ledger = new Ledger({ ann: 50, bob: 10 });
console.log(ledger.transfer('ann', 'bob', 20), ledger.transfer('ann', 'cid', 5), ledger.accounts.ann);
