// chcverify: --timeout 60
// Members keep their values in a copy to bytes.
extern void reach_error(void);
struct t {
  char c;
  int i;
};
int main(void) {
  struct t from;
  unsigned char bytes[sizeof(struct t)];
  for (int i = 0; i < 8; i++) bytes[i] = 1;
  from.c = from.i = 2;
  *(struct t *)bytes = from;
  if (bytes[0] != 2 || bytes[4] != 2) reach_error();
  return 0;
}
