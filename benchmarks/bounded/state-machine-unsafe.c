// A protocol of five inputs reaches its last state in one way only.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int state = 0, ones = 0;
  for (int i = 0; i < 5; i++) {
    unsigned char in = __VERIFIER_nondet_uchar();
    switch (state) {
    case 0:
      state = in == 1 ? 1 : 0;
      break;
    case 1:
      state = in == 2 ? 2 : in == 1 ? 1 : 0;
      break;
    case 2:
      state = in == 3 ? 3 : in == 1 ? 1 : 2;
      break;
    default:
      state = in == 4 ? 4 : 0;
    }
    if (in == 1)
      ones++;
  }
  if (state == 4 && ones != 2)
    reach_error();
  return 0;
}
