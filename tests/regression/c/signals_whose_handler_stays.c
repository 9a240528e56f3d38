// chcverify: --timeout 60
/* A handler stays: signals that a program sends to itself; SIG_IGN is the address of no function. */
#include <signal.h>
extern void reach_error(void);
static volatile sig_atomic_t sum;
static void add(int number) { sum += number; }
int main(void) {
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return 1;
  raise(SIGPIPE);
  if (sum != 0 || signal(SIGPIPE, add) != SIG_IGN) reach_error();
  raise(SIGPIPE);
  raise(SIGPIPE);
  if (sum != SIGPIPE || signal(SIGKILL, add) != SIG_ERR) reach_error();
  if (signal(SIGPIPE, SIG_DFL) != add) reach_error();
  raise(SIGPIPE);
  reach_error(); /* the signal has ended the program */
  return 0;
}
