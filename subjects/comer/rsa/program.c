/* Encryption of a number: m to the e modulo p times q, in 0 … pq - 1. */
long encrypt(long p, long q, long e, long m);

static long times(long a, long b, long n) {
    return a * b % n;
}

long encrypt(long p, long q, long e, long m) {
    long n = p * q;
    long base = m % n;
    if (base < 0)
        base += n;
    long result = 1 % n;
    while (e > 0) {
        if (e % 2 == 1)
            result = times(result, base, n);
        base = times(base, base, n);
        e /= 2;
    }
    return result;
}
