var bank = (function () {
  var balances = {};
  function check(name) {
    if (!(name in balances)) {
      balances[name] = 0;
    }
  }
  return {
    pay: function (name, amount) {
      check(name);
      balances[name] += amount;
      return balances[name];
    },
    total: function () {
      var sum = 0;
      for (var name in balances) {
        sum += balances[name];
      }
      return sum;
    },
  };
})();

bank.pay('ann', 5);
bank.pay('bob', 7);
bank.pay('ann', -2);
console.log(bank.total());
