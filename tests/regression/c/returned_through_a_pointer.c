// chcverify: --timeout 60
/* `return *pointer` is no jump to an address. */
extern void reach_error(void);
static int value = 4;
static int *address(void) { return &value; }
static int read_it(void) { return *address(); }
int main(void) {
  if (read_it() != 4) reach_error();
  return 0;
}
