// chcverify: --timeout 60
// memset writes the bytes between members, too.
void *memset(void *to, int value, unsigned long size);
extern void reach_error(void);
struct t {
  char c;
  int i;
};
int main(void) {
  struct t d;
  unsigned char *bytes = (unsigned char *)&d;
  for (int i = 0; i < 8; i++) bytes[i] = i;
  memset(&d, 0, sizeof d);
  if (bytes[3] != 0) reach_error();
  return 0;
}
