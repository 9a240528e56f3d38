/* A name that fills its buffer is not terminated by strncpy, and is read to its end. */
#include <string.h>
extern char __VERIFIER_nondet_char(void);

struct user { char name[16]; };

static void rename_user(struct user *user, const char *name) {
#ifdef FIXED
  strncpy(user->name, name, sizeof user->name - 1);
  user->name[sizeof user->name - 1] = 0;
#else
  strncpy(user->name, name, sizeof user->name);
#endif
}

static unsigned name_length(const struct user *user) {
  unsigned n = 0;
  while (user->name[n]) n++;
  return n;
}

int main(void) {
  char given[32];
  for (int i = 0; i < 31; i++) given[i] = __VERIFIER_nondet_char();
  given[31] = 0;
  struct user user;
  rename_user(&user, given);
  return name_length(&user) > 15;
}
