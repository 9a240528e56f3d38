// chcverify: --property unreach-call --timeout 20
/* Bytes of two pointers need not be the same: no proof rests on that, and no run, since their values are not modelled. */
extern void reach_error(void);
struct pair { int *pointer; long number; };
static int x, y;

int main(void) {
  struct pair a, b;
  a.pointer = &x;
  b.pointer = &y;
  unsigned char *one = (unsigned char *)&a, *other = (unsigned char *)&b;
  if (one[3] != other[3]) reach_error();
  return 0;
}
