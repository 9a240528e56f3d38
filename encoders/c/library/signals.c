/* Signals that a program sends to itself (C11 7.14); others are assumed not to come. A handler stays until another one
   is given (glibc; BSD). */
typedef void handler_t(int);
int *__errno_location(void);
void _exit(int status);
void __chcverify_signal_of_error(void);
void __chcverify_signal_in_its_handler(void);
void __chcverify_stopping_signal(void);
void __chcverify_signal_that_is_put_off(void);

static handler_t *handlers[65]; /* null: the default, as SIG_DFL; 1: the signal is ignored, as SIG_IGN */
static _Bool is_handled[65];
static _Bool is_reset[65]; /* SA_RESETHAND */
static _Bool is_masked;    /* a handler for which other signals are put off */
static int running;        /* handlers */

static int is_of_error(int number) { /* SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS */
  return number == 4 || number == 5 || number == 6 || number == 7 || number == 8 || number == 11 || number == 31;
}

handler_t *signal(int number, handler_t *handler) {
  if (number < 1 || number > 64 || number == 9 || number == 19) { /* SIGKILL, SIGSTOP */
    *__errno_location() = 22; /* EINVAL */
    return (handler_t *)-1;
  }
  if (handler && is_of_error(number)) __chcverify_signal_of_error();
  handler_t *old = handlers[number];
  handlers[number] = handler;
  is_reset[number] = 0;
  return old;
}

handler_t *__chcverify_handler(int number) { return handlers[number]; }

void __chcverify_reset_handler(int number, int resets, int masks) {
  is_reset[number] = resets;
  is_masked |= masks;
}

int raise(int number) {
  if (number < 0 || number > 64) {
    *__errno_location() = 22;
    return -1;
  }
  if (number == 0) return 0;
  handler_t *handler = handlers[number];
  if (is_handled[number]) __chcverify_signal_in_its_handler();
  if (is_masked && running) __chcverify_signal_that_is_put_off();
  if (handler == (handler_t *)1) return 0;
  if (handler) {
    if (is_reset[number]) handlers[number] = 0;
    is_handled[number] = 1;
    running++;
    handler(number);
    running--;
    is_handled[number] = 0;
    return 0;
  }
  if (number >= 19 && number <= 22) __chcverify_stopping_signal();
  if (number == 17 || number == 18 || number == 23 || number == 28) return 0; /* SIGCHLD, SIGCONT, SIGURG, SIGWINCH */
  _exit(128);
}
