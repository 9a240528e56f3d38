// chcverify: --timeout 60 --property undefined-behaviour
// A stream that is read through a null pointer to be closed: the read is the violation.
#include <stdio.h>
struct log { FILE *file; };
int __VERIFIER_nondet_int(void);

int main(void) {
  struct log own = {stdout}, *log = __VERIFIER_nondet_int() ? &own : 0;
  fclose(log->file);
  return 0;
}
