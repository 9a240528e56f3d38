// chcverify: --timeout 60
// A write through a conditional pointer one of whose branches is null: the other branch's object changes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
int main(void) {
  int *q = &x;
  int c = __VERIFIER_nondet_int();
  int k = __VERIFIER_nondet_int();
  *(c ? (int *)0 : q) = 5;
  if (x == 5 && k > 1000000000 && k % 100003 == 77777)
    reach_error();
  return 0;
}
