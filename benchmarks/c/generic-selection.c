// Chosen by type; statement expressions and typeof.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  long l = 1;
  __typeof__(l) m = 1L << 33;
  int k = _Generic(l, int : 1, long : 2, default : 3);
  int s = ({ int t = k; t *= 10; t + 1; });
  if (m >> 33 != 1 || k != 2 || s != 21)
    reach_error();
  return 0;
}
