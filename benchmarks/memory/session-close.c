// Safe: `close` releases the session once: it sets the pointer to null, and free of null does nothing.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *session;

static void open_session(void) {
  if (!session)
    session = malloc(sizeof(int));
}

static void close_session(void) {
  free(session);
  session = 0;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    if (__VERIFIER_nondet_int())
      open_session();
    else
      close_session();
  close_session();
  return 0;
}
