/* The variables of the environment (C11 7.22.4.6, POSIX). What a program has set itself is not modelled. */
typedef __typeof__(sizeof(0)) size_t;
char *__chcverify_text(void);

static int is_changed;
static int is_known; /* a variable was asked for: what another call gives may follow from that */

char *getenv(const char *name) {
  size_t length = strlen(name);
  if (is_changed) __chcverify_changed_environment();
  int is_set = is_known ? __chcverify_known_variable() : __VERIFIER_nondet_int();
  is_known = 1;
  return is_set ? __chcverify_text() : 0;
}

char *secure_getenv(const char *name) { return getenv(name); }

static int changed(void) {
  is_changed = 1;
  int reason = __VERIFIER_nondet_int();
  if (reason <= 0) return 0;
  *__errno_location() = reason;
  return -1;
}

int setenv(const char *name, const char *value, int overwrite) {
  size_t length = strlen(name) + strlen(value);
  return changed();
}

int unsetenv(const char *name) {
  size_t length = strlen(name);
  return changed();
}

int clearenv(void) { return changed(); }
