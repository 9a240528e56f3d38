// Products of 64-bit values do not wrap.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned long x = 0xffffffffffffffffUL;
  unsigned __int128 p = (unsigned __int128)x * x;
  __int128 n = -(__int128)x;
  if ((unsigned long)(p >> 64) != 0xffffffffffffffffUL || n >= 0 || (unsigned long)p != 1)
    reach_error();
  return 0;
}
