/* Functions that run when the program ends (C11 7.22.4.2, 7.22.4.4): the last one that was given first. C guarantees 32
   of them; what happens to more is not modelled. */
static void (*handlers[32])(void);
static int given;

int atexit(void (*handler)(void)) {
  if (given == 32) __chcverify_more_exit_handlers();
  handlers[given] = handler;
  given++;
  return 0;
}

void __chcverify_run_exit_handlers(void) {
  while (given > 0) {
    given--;
    handlers[given]();
  }
}
