// chcverify: --property no-deadlock --timeout 60
#include <semaphore.h>
sem_t s;
int main(void) { sem_wait(&s); return 0; }
