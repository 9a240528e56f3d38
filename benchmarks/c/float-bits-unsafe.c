// A float's sign is a bit.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

extern float __VERIFIER_nondet_float(void);
union bits { float number; unsigned int word; };

int main(void) {
  union bits b;
  b.number = __VERIFIER_nondet_float();
  int is_number = b.number == b.number;
  b.word &= 0x7fffffff;
  if (is_number && b.number == 0.5f && b.word == 0x3f000000)
    reach_error();
  return 0;
}
