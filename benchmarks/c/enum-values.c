// Enumerators count on from the last value given.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum color { RED = 3, GREEN, BLUE = 10, ALPHA };
int main(void) {
  enum color c = __VERIFIER_nondet_int() ? GREEN : ALPHA;
  if (c != 4 && c != 11)
    reach_error();
  return 0;
}
