// A field keeps its low bits only, signed ones their sign.
extern void abort(void);
void reach_error(void) { abort(); }

struct flags { unsigned int low : 3; int high : 4; unsigned int rest : 25; };
int main(void) {
  struct flags f = {0, 0, 0};
  f.low = 9;
  f.high = 15;
  f.rest--;
  if (f.low != 1 || f.high != -1 || f.rest != 0x1ffffffu)
    reach_error();
  return 0;
}
