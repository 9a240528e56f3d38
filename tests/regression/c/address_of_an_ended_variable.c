// chcverify: --timeout 30
// A local variable may get the address of one whose function has returned.
void reach_error(void);
int *kept;

void keep(void) {
  int gone = 1;
  kept = &gone;
}

int is_kept(void) {
  int fresh = 2, *address = &fresh;
  return address == kept;
}

int main(void) {
  keep();
  if (is_kept()) reach_error();
  return 0;
}
