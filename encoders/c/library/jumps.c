/* setjmp and longjmp (C11 7.13): each call of setjmp has a number of its own, which it leaves in the jmp_buf. A jump sets
   its target, and functions return until one is at hand in whose present call that number was given. */
static long given, target;
static int value;
void __chcverify_jump_to_nowhere(void);
void __chcverify_jump_to_returned(void);

long __chcverify_new_jump(void) {
  given++;
  return given;
}

void __chcverify_begin_jump(long number, int result) {
  if (number <= 0 || number > given) __chcverify_jump_to_nowhere();
  target = number;
  value = result ? result : 1;
}

/* 0: no jump is under way. */
long __chcverify_jump_target(void) { return target; }

/* Where the function that is called first has returned, no function is left to which a jump could lead. */
void __chcverify_end_of_jumps(void) {
  if (target != 0) __chcverify_jump_to_returned();
}

int __chcverify_land(void) {
  target = 0;
  return value;
}
