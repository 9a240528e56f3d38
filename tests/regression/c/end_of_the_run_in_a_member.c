// chcverify: --timeout 60
extern void reach_error(void);
extern void exit(int);
extern void abort(void);
struct policy { void (*give_up)(void); void (*leave)(int); };
static struct policy policies[2] = {{abort, exit}, {abort, exit}};
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct policy *p = &policies[__VERIFIER_nondet_int() & 1];
  if (__VERIFIER_nondet_int()) p->give_up(); else p->leave(2);
  reach_error();
}
