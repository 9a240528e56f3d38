// The indices of a ring of 8 cells stay inside it; with a mistake.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int cells[8] = {0}, head = 0, tail = 0;
  while (__VERIFIER_nondet_int()) {
    if (head < 0 || head >= 8 || tail < 0 || tail >= 8)
      reach_error();
    cells[head] = __VERIFIER_nondet_int();
    head = head == 8 ? 0 : head + 1;
    if (head == tail)
      tail = tail + 1 == 8 ? 0 : tail + 1;
  }
  return 0;
}
