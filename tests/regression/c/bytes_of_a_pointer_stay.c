// chcverify: --property unreach-call --engine bounded --timeout 120
/* The bytes of a pointer may be any, but they are the same in two reads and in a copy. */
extern void reach_error(void);
struct pair { int *pointer; long number; };
static int x;

int main(void) {
  struct pair a;
  a.pointer = &x;
  a.number = 0;
  unsigned char *bytes = (unsigned char *)&a;
  unsigned char before = bytes[1];
  struct pair b = a;
  if (bytes[1] != before || ((unsigned char *)&b)[1] != before) reach_error();
  if (a.pointer != &x || b.pointer != &x) reach_error();
  return 0;
}
