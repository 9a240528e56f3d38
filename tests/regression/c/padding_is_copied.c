// chcverify: --timeout 60
// memcpy copies the bytes between members, too.
void *memcpy(void *to, const void *from, unsigned long size);
extern void reach_error(void);
struct t {
  char c;
  int i;
};
int main(void) {
  struct t from, to;
  unsigned char *p = (unsigned char *)&from, *q = (unsigned char *)&to;
  for (int i = 0; i < 8; i++) p[i] = i, q[i] = 0;
  memcpy(&to, &from, sizeof to);
  if (q[3] != 3) reach_error();
  return 0;
}
