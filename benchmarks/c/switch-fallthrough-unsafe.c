// Cases run on into the next, default may stand anywhere.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int(), r = 0;
  switch (x) {
  case 1:
    r += 1;
  case 2:
    r += 2;
    break;
  default:
    r = 50;
  case 4:
    r += 4;
  }
  if (x == 1 && r != 3)
    reach_error();
  if (x == 2 && r != 3)
    reach_error();
  if (r != 3 && r != 2 && r != 4 && r != 54)
    reach_error();
  return 0;
}
