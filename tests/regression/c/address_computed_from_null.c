// chcverify: --timeout 20
// The address of a member of what a null pointer leads to need not be null (gcc: it is 4 here); C leaves it open.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair {
  int first, second;
} object;
int main(void) {
  struct pair *pair = __VERIFIER_nondet_int() ? &object : 0;
  int *second = &pair->second;
  if (&pair->second == 0 || !second) reach_error();
  return 0;
}
