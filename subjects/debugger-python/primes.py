def primes(limit):
    sieve = [True] * limit
    found = []
    for n in range(2, limit):
        if not sieve[n]:
            continue
        found.append(n)
        for multiple in range(n * n, limit, n):
            sieve[multiple] = False
    return found


print(primes(20))
