/* An answer to a message copies as many bytes as the message says to have, instead of as many as it has. */
#include <stdlib.h>
#include <string.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static unsigned char *answer(const unsigned char *message, size_t n) {
  if (n < 3) return NULL;
  size_t payload = message[1] * 256u + message[2];
#ifdef FIXED
  if (payload > n - 3) return NULL;
#endif
  unsigned char *made = malloc(3 + payload);
  if (!made) return NULL;
  made[0] = 2;
  made[1] = message[1];
  made[2] = message[2];
  memcpy(made + 3, message + 3, payload);
  return made;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 16384);
  unsigned char *message = malloc(n);
  if (message) free(answer(message, n));
  free(message);
  return 0;
}
