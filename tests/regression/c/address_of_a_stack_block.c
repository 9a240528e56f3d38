// chcverify: --timeout 30
// Memory of alloca may have the address of memory of alloca in a call that has ended.
void reach_error(void);
char *kept;

static void keep(void) {
  char *block = __builtin_alloca(16);
  block[0] = 1;
  kept = block;
}

static int is_kept(void) {
  char *block = __builtin_alloca(16);
  block[0] = 2;
  return kept == block;
}

int main(void) {
  keep();
  if (is_kept()) reach_error();
  return 0;
}
