// The members of a union overlap byte by byte, the lowest first.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

union word { unsigned int whole; unsigned char bytes[4]; short half; };

int main(void) {
  union word w;
  w.whole = __VERIFIER_nondet_int();
  w.bytes[3] = 0;
  if (w.half < 0 && w.bytes[1] == 0x80 && w.bytes[2] == 7)
    reach_error();
  return 0;
}
