// A table of functions.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int mul(int a, int b) { return a * b; }
int main(void) {
  int (*table[3])(int, int) = {add, sub, mul};
  unsigned k = __VERIFIER_nondet_uint() % 3;
  int r = table[k](7, 5);
  if (r != 12 && r != 2 && r != 35)
    reach_error();
  return 0;
}
