// The operation is in the wider type, the result in the narrower.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char c = 250;
  c += 10;
  int i = 7;
  i *= 1.5;
  i <<= 2;
  i |= 3;
  short s = 100;
  s *= 1000;
  if (c != 4 || i != 43 || s != -31072)
    reach_error();
  return 0;
}
