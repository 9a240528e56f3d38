// chcverify: --timeout 60
// A bit-field of 40 bits keeps its width when it is shifted.
struct wide {
  unsigned long x : 40;
} v;
void reach_error(void);
int main(void) {
  v.x = 3;
  if (v.x << 8 == 3) reach_error();
  if (v.x << 8 != 768) reach_error();
  return 0;
}
