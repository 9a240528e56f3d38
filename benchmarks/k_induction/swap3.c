// Three different values rotate; two of them never become equal. 3-inductive, and no auxiliary invariant is needed.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = 1, b = 2, c = 3;

  while (__VERIFIER_nondet_int()) {
    int first = a;
    if (a == b)
      reach_error();
    a = b;
    b = c;
    c = first;
  }
  return 0;
}
