// chcverify: --property no-data-race --timeout 60
#include <pthread.h>

_Atomic int x;
void *f(void *q) { *(int *)&x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); *(int *)&x = 2; pthread_join(t, 0); return 0; }
