// chcverify: --timeout 60
// The same with null as the second branch, and a read before the write in the text of a loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
int main(void) {
  int *q = &x;
  while (1) {
    int k = __VERIFIER_nondet_int();
    if (x == 5 && k > 1000000000 && k % 100003 == 77777)
      reach_error();
    int c = __VERIFIER_nondet_int();
    *(c ? q : (int *)0) = 5;
  }
}
