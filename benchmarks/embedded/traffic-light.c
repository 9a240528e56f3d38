// Two lights that are never green together.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int state = 0, ticks = 0, north = 0, east = 0;
  while (__VERIFIER_nondet_int()) {
    ticks++;
    if (ticks >= 30) {
      ticks = 0;
      state = state == 3 ? 0 : state + 1;
    }
    north = state == 1;
    east = state == 3;
    if ((north && east) || ticks >= 30)
      reach_error();
  }
  return 0;
}
