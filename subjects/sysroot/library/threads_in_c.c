#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int sum, full;
static void prepare(void) { printf("once\n"); }
static void *add(void *n) { pthread_once(&once, prepare); pthread_mutex_lock(&lock); sum += *(int *)n; pthread_mutex_unlock(&lock); return n; }
static void *fill(void *unused) { (void)unused; pthread_mutex_lock(&lock); full = 1; pthread_cond_signal(&ready); pthread_mutex_unlock(&lock); pthread_exit((void *)7); }
int main(void) {
    pthread_t t[4]; int n[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, add, &n[i]);
    for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); printf("%d\n", *(int *)r); }
    printf("%d\n", sum);
    pthread_t f; void *r; pthread_create(&f, NULL, fill, NULL);
    pthread_mutex_lock(&lock); while (!full) pthread_cond_wait(&ready, &lock); pthread_mutex_unlock(&lock);
    pthread_join(f, &r); printf("%d\n", (int)(long)r);
    return 0;
}
