// chcverify: --engine spacer --timeout 600 --data-model ILP32
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  unsigned int x = 4294967295u;
  x = x + 1;
  if (x != 0)
    reach_error();
  return 0;
}
