// The counters of a queue: what came in is what went out and what is there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int in = 0, out = 0, count = 0;
  while (in < 1000000) {
    if (__VERIFIER_nondet_int()) {
      if (count < 16) {
        in++;
        count++;
      }
    } else if (count > 0) {
      out++;
      count--;
    }
    if (in != out + count || count > 16)
      reach_error();
  }
  return 0;
}
