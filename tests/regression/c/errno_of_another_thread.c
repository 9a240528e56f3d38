// chcverify: --property unreach-call --timeout 60
// Each thread has its own errno (C11 7.5p2).
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);

static void *convert(void *unused) {
  errno = 0;
  errno = ERANGE;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, convert, 0);
  pthread_join(t, 0);
  if (errno != 0) reach_error();
  return 0;
}
