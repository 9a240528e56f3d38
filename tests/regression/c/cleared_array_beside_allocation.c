// chcverify: --timeout 60
// A local array that shares its region with a member of an allocated structure: setting it to zero changes it alone.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct s { int a[3]; int b; };
int main(void) {
  struct s *p = malloc(sizeof *p);
  int k = __VERIFIER_nondet_int();
  int i = __VERIFIER_nondet_int();
  p->a[0] = 7;
  int x[3] = {0};
  int *r = k ? p->a : x;
  if (i >= 0 && i < 3 && r[i] == 7 && p->a[0] == 7 && k > 1000000000 && k % 100003 == 77777)
    reach_error();
  return 0;
}
