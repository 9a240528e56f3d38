/* What the system says of the process, which does not change: there is no model of fork (POSIX). */
int getpid(void) {
  static _Atomic int number;
  if (!number) {
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0);
  }
  return number;
}

/* Users and groups stay until the process changes them. */
static _Atomic int is_known;
static _Atomic unsigned user, effective_user, group, effective_group;

static void ask(void) {
  if (is_known) return;
  is_known = 1;
  user = __VERIFIER_nondet_uint();
  effective_user = __VERIFIER_nondet_uint();
  group = __VERIFIER_nondet_uint();
  effective_group = __VERIFIER_nondet_uint();
}

unsigned getuid(void) {
  ask();
  return user;
}

unsigned geteuid(void) {
  ask();
  return effective_user;
}

unsigned getgid(void) {
  ask();
  return group;
}

unsigned getegid(void) {
  ask();
  return effective_group;
}

static int changes_user(void) {
  int reason = __VERIFIER_nondet_int();
  if (reason <= 0) {
    is_known = 0;
    return 0;
  }
  *__errno_location() = reason;
  return -1;
}

int setuid(unsigned id) { return changes_user(); }

int setgid(unsigned id) { return changes_user(); }

int getpagesize(void) {
  static _Atomic int size;
  if (!size) {
    size = __VERIFIER_nondet_int();
    __VERIFIER_assume(size > 0);
  }
  return size;
}

/* 30: _SC_PAGESIZE of Linux. */
long sysconf(int name) {
  if (name == 30) return getpagesize();
  long value = __VERIFIER_nondet_long();
  int reason = __VERIFIER_nondet_int();
  if (value == -1 && reason > 0) *__errno_location() = reason; /* or there is no limit, which leaves errno */
  return value;
}
