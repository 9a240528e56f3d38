// chcverify: --interrupt on_tick
// Critical sections that nest, as real-time kernels have them: interrupts are off until the outermost one ends.
#include <signal.h>

extern void reach_error(void);

static volatile sig_atomic_t enabled = 1; // the interrupt mask
static int nesting;                       // of main's sections
static int ticks, seconds;                // a minute has two of these seconds, of three ticks each

void on_tick(void) {
  if (!enabled) // the processor does not interrupt
    return;
  ticks = ticks + 1;
  if (ticks == 3) {
    ticks = 0;
    seconds = seconds == 1 ? 0 : seconds + 1;
  }
}

static void enter_critical(void) {
  enabled = 0;
  nesting = nesting + 1;
}

static void exit_critical(void) {
  nesting = nesting - 1;
  if (nesting == 0)
    enabled = 1;
}

static int now(void) {
  enter_critical();
  int result = seconds * 3 + ticks;
  exit_critical();
  return result;
}

int main(void) {
  for (;;) {
    enter_critical();
    int before = now();
    int after = seconds * 3 + ticks;
    exit_critical();
    if (before != after)
      reach_error();
  }
}
