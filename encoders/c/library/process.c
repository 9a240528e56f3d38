/* What the system says of the process, which does not change: there is no model of fork (POSIX). */
int getpid(void) {
  static int number;
  if (!number) {
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0);
  }
  return number;
}
