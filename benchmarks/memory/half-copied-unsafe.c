// Unsafe (uninitialised): A record is copied as a whole before all of it is written. Under one condition the member
// that is missing is read in the copy.
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
  return kept.checked && kept.value > 3;
}
