/* Kernels of the kinds that subjects are made of; each takes a size and returns a checksum. */

typedef unsigned int u32;

static u32 state;

static u32 draw(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int numbers[4096];
static double matrix_a[64 * 64], matrix_b[64 * 64], matrix_c[64 * 64];
static char text[4096];
static unsigned char sieve[65536];

__attribute__((export_name("maxsub"))) int maxsub(int rounds) {
    int best = 0;
    state = 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 1000; i++) numbers[i] = (int)(draw() % 2001) - 1000;
        int sum = 0, most = 0;
        for (int i = 0; i < 1000; i++) {
            sum += numbers[i];
            if (sum < 0) sum = 0;
            if (sum > most) most = sum;
        }
        best ^= most;
    }
    return best;
}

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

__attribute__((export_name("insertion_sort"))) int insertion_sort(int rounds) {
    int check = 0;
    state = 2;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 200; i++) numbers[i] = (int)draw();
        sort(numbers, 200);
        check = check * 31 + numbers[100];
    }
    return check;
}

__attribute__((export_name("matrix"))) int matrix(int rounds) {
    for (int i = 0; i < 64 * 64; i++) {
        matrix_a[i] = i % 7;
        matrix_b[i] = i % 5;
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < 32; i++)
            for (int j = 0; j < 32; j++) {
                double sum = 0;
                for (int k = 0; k < 32; k++) sum += matrix_a[i * 64 + k] * matrix_b[k * 64 + j];
                matrix_c[i * 64 + j] = sum;
            }
    return (int)matrix_c[5 * 64 + 9];
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

__attribute__((export_name("calls"))) int calls(int rounds) {
    int sum = 0;
    for (int round = 0; round < rounds; round++) sum += fib(15);
    return sum;
}

__attribute__((export_name("strip_comments"))) int strip_comments(int rounds) {
    int check = 0;
    state = 3;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 2000; i++) text[i] = "ab/* \n\""[draw() % 7];
        int mode = 0, kept = 0;
        for (int i = 0; i + 1 < 2000; i++) {
            switch (mode) {
            case 0:
                if (text[i] == '/' && text[i + 1] == '*') mode = 1;
                else if (text[i] == '"') mode = 2;
                else kept++;
                break;
            case 1:
                if (text[i] == '*' && text[i + 1] == '/') mode = 0;
                break;
            default:
                if (text[i] == '"' || text[i] == '\n') mode = 0;
            }
        }
        check = check * 31 + kept;
    }
    return check;
}

__attribute__((export_name("sieve"))) int primes(int rounds) {
    int count = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 20000; i++) sieve[i] = 1;
        count = 0;
        for (int i = 2; i < 20000; i++) {
            if (!sieve[i]) continue;
            count++;
            for (int j = i + i; j < 20000; j += i) sieve[j] = 0;
        }
    }
    return count;
}
