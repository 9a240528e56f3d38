// Float is narrower than double.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  float f = 16777216.0f;
  double d = f;
  if (f + 1.0f != f || d + 1.0 == d || 0.1f == 0.1)
    reach_error();
  return 0;
}
