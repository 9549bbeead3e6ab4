def counter(start):
    value = start

    def up(step):
        nonlocal value
        value += step
        return value

    return up


one = counter(5)
two = counter(0)
one(1)
two(3)
print(one(1), two(1))
