// A global array is zero until it is written.
extern void abort(void);
void reach_error(void) { abort(); }

int count[4];
void bump(int i) { count[i]++; }
int main(void) {
  bump(1);
  bump(3);
  bump(1);
  if (count[0] != 0 || count[1] != 2 || count[2] != 0 || count[3] != 1)
    reach_error();
  return 0;
}
