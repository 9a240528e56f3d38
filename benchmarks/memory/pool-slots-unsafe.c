// Unsafe (valid-deref): The caller does not look at the result: with all slots in use it writes before the
// array.
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
    pool[i].value = n;
  }
  return 0;
}
