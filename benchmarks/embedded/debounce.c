// A key counts as pressed after 8 equal samples; the counter never leaves its range.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int count = 0, pressed = 0;
  while (__VERIFIER_nondet_int()) {
    int sample = __VERIFIER_nondet_int();
    if (sample != 0) {
      if (count < 8)
        count++;
    } else if (count > 0) {
      count--;
    }
    if (count == 8)
      pressed = 1;
    if (count == 0)
      pressed = 0;
    if (count < 0 || count > 8 || (pressed && count == 0))
      reach_error();
  }
  return 0;
}
