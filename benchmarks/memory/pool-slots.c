// Safe: A pool of eight slots. `take` returns -1 where all are in use, and the caller looks at that.
extern int __VERIFIER_nondet_int(void);
struct slot { int used; int value; };
static struct slot pool[4];

static int take(void) {
  for (int i = 0; i < 4; i++)
    if (!pool[i].used) {
      pool[i].used = 1;
      return i;
    }
  return -1;
}

int main(void) {
  for (int n = 0; n < 5; n++) {
    int i = take();
    if (i >= 0)
      pool[i].value = n;
  }
  return 0;
}
