// chcverify: --timeout 60
extern void stop_here(void) __asm__("reach_error");
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 4) stop_here();
  return 0;
}
