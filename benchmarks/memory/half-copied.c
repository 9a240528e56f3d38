// Safe: A record is copied as a whole before all of it is written; of the copy only what was written is read.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct reading { int channel, value, checked; };

static struct reading measured(int channel) {
  struct reading r;
  r.channel = channel;
  r.value = __VERIFIER_nondet_int();
  return r;
}

int main(void) {
  struct reading last = measured(1), kept;
  memcpy(&kept, &last, sizeof kept);
  if (__VERIFIER_nondet_int())
    kept.checked = 1;
  else
    kept.checked = 0;
  return kept.checked && kept.value > 3;
}
