// Ends: the slot goes down to the lowest one, from the highest one on again, and meets the owner's on the way.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int owner = __VERIFIER_nondet_int(), highest = __VERIFIER_nondet_int();
  if (owner < 0 || owner >= highest)
    return 0;
  int slot = owner == 0 ? highest : owner - 1;
  while (slot != owner && __VERIFIER_nondet_int() != 0)
    if (slot > 0)
      slot--;
    else
      slot = highest;
  return 0;
}
