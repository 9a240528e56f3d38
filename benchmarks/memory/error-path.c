// Safe: Both buffers are released on each path.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int transfer(void) {
  char *header = malloc(4), *body = malloc(32);
  header[0] = 1;
  if (__VERIFIER_nondet_int()) {
    free(body);
    free(header);
    return -1;
  }
  body[31] = header[0];
  free(body);
  free(header);
  return 0;
}

int main(void) { return transfer(); }
