// chcverify: --timeout 60
// The bits of a pointer that a bit-field leaves as they are may be any.
extern void reach_error(void);
int x;
union word {
  int *pointer;
  struct {
    unsigned low : 3, high : 5;
  } bits;
};
int main(void) {
  union word v;
  v.pointer = &x + 1;
  v.bits.low = 1;
  if (v.bits.high != 0) reach_error();
  return 0;
}
