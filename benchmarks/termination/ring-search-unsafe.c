// A run without end: the owner's slot may be above the highest one, and is never met.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int owner = __VERIFIER_nondet_int(), highest = __VERIFIER_nondet_int();
  if (owner < 0 || highest < 0)
    return 0;
  int slot = owner == 0 ? highest : owner - 1;
  while (slot != owner && __VERIFIER_nondet_int() != 0)
    if (slot > 0)
      slot--;
    else
      slot = highest;
  return 0;
}
