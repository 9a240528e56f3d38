// chcverify: --engine spacer --timeout 30
// What runs before main is refused, used or not.
extern void reach_error(void);
static int ready;
static void __attribute__((constructor)) prepare(void) { ready = 1; }
int main(void) {
  if (ready)
    reach_error();
  return 0;
}
