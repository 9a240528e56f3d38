// chcverify: --property no-data-race --timeout 60
// Two threads may write to one stream (C11 7.21.2p7).
#include <pthread.h>
#include <stdio.h>

static void *write(void *unused) {
  fprintf(stderr, "thread\n");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  fprintf(stderr, "main\n");
  pthread_join(t, 0);
  return 0;
}
