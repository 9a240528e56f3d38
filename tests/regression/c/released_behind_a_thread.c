// chcverify: --property no-data-race --timeout 20
// free accesses the block, as realloc does (C11 7.22.3p2).
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *write(void *unused) {
  *shared = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  pthread_create(&t, 0, write, 0);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
