// chcverify: --property no-data-race --timeout 60
// Each thread has its own errno (C11 7.5p2).
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *convert(void *unused) {
  errno = 0;
  return strtol("99999999999999999999", 0, 10) > 0 && errno == ERANGE ? unused : 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, convert, 0);
  convert(0);
  srand(1);
  pthread_join(t, 0);
  return rand() < 0;
}
