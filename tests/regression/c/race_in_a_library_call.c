// chcverify: --property no-data-race --timeout 20
// puts reads what another thread writes: what it accesses is not followed, so that no proof leaves that out.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "abc";

static void *write(void *unused) {
  text[1] = 'x';
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  puts(text);
  pthread_join(t, 0);
  return 0;
}
