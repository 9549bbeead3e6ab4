var money = {
  cents: 1250,
  valueOf: function () { return this.cents; },
  toString: function () { return '$' + this.cents / 100; },
};
console.log(money + 50, `${money}`, money > 1000, money * 2);
