def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


x = gcd(48, 36)
y = gcd(17, 5)
print(x, y)
