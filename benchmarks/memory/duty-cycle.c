// Safe: A duty cycle in percent becomes the 8 bits of a timer: it is between 0 and 100 when it is scaled.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned char timer = 0;
  int percent = 0;
  while (__VERIFIER_nondet_int()) {
    percent = percent + (__VERIFIER_nondet_int() > 0 ? 10 : -10);
    if (percent < 0)
      percent = 0;
    if (percent > 100)
      percent = 100;
    timer = percent * 255 / 100;
  }
  return timer > 128;
}
