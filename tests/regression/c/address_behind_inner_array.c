// chcverify: --property unreach-call,valid-memsafety --timeout 60
/* The element behind `a` is `v` of the same record: it was taken for the first element of the next record, and the
   program was proved. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct record { char a[4]; char v; char b[3]; } all[2];
int main(void) {
  int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (i < 0 || i > 7) return 0;
  char *p = &all[0].a[i];
  *p = 1;
  if (k * 3 == 123456789 && all[0].v == 1) reach_error();
  return 0;
}
