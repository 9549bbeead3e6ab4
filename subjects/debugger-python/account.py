class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount")
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


account = Account("Grace")
account.deposit(100)
ok = account.withdraw(30)
bad = account.withdraw(500)
print(account.balance, ok, bad)
