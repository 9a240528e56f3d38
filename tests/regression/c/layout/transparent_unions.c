// chcverify: --engine spacer --timeout 30
// An argument may be any member of a transparent union.
extern void reach_error(void);
typedef union { int *signed_one; unsigned *unsigned_one; } either __attribute__((__transparent_union__));
static int read(either e) { return *e.signed_one; }
int main(void) {
  int x = 3;
  unsigned y = 4;
  if (read(&x) + read(&y) == 7)
    reach_error();
  return 0;
}
