def fibonacci(limit):
    a, b = 0, 1
    while a < limit:
        yield a
        a, b = b, a + b


total = 0
for number in fibonacci(20):
    total += number
print(total)
