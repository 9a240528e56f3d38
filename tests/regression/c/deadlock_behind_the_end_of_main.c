// chcverify: --property no-deadlock --timeout 60
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&a); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); return 0; }
