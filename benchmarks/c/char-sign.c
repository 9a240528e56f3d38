// Plain char is signed, unsigned char is not.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  char c = 200;
  unsigned char u = 200;
  if (c >= 0 || c + 256 != u || (c == u) != 0)
    reach_error();
  return 0;
}
