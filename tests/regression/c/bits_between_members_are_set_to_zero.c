// chcverify: --timeout 60
// memset writes the bits behind the last bit-field, too.
void *memset(void *to, int value, unsigned long size);
extern void reach_error(void);
union port {
  struct {
    unsigned low : 3, high : 5, wide : 12;
  } fields;
  unsigned char bytes[4];
};
int main(void) {
  union port c;
  memset(&c, 0, sizeof c);
  if (c.bytes[3] != 0 || c.bytes[2] != 0) reach_error();
  return 0;
}
