def memoize(function):
    cache = {}

    def inner(n):
        if n not in cache:
            cache[n] = function(n)
        return cache[n]

    return inner


@memoize
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


print(fib(6))
