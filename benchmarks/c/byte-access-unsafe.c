// An int is written and read as bytes through a pointer.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  unsigned char *from = (unsigned char *)&x, *to = (unsigned char *)&y;
  for (unsigned i = 0; i < sizeof x; i++)
    to[i] = from[i];
  if (x == y && to[1] == 3 && from[3] == 0xff)
    reach_error();
  return 0;
}
