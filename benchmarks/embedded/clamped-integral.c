// The integral part of a controller is clamped.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int integral = 0;
  while (__VERIFIER_nondet_int()) {
    int error = __VERIFIER_nondet_int();
    if (error < -100 || error > 100)
      continue;
    integral += error;
    if (integral > 1000)
      integral = 1000;
    if (integral < -1000)
      integral = -1000;
    if (integral + error > 1100 || integral + error < -1100)
      reach_error();
  }
  return 0;
}
