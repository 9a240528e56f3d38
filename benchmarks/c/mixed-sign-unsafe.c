// The signed operand becomes unsigned.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i = -1;
  unsigned u = 1;
  long l = -1;
  if (i < u || !(l < (unsigned long)u) || -1 > (unsigned char)1)
    reach_error();
  return 0;
}
