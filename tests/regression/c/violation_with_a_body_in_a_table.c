// chcverify: --timeout 60
/* The body of reach_error is what a run executes, but calling it is the violation. */
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "f.c", 3, "reach_error"); }
static void pass(void) {}
static void (*const handlers[])(void) = {pass, pass, reach_error};
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned event = __VERIFIER_nondet_uint() % 3;
  handlers[event]();
  return 0;
}
