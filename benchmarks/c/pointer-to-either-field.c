// A pointer to one of two fields of a record.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct pair { int first, second; };

int main(void) {
  struct pair p = {1, 2};
  int *either = __VERIFIER_nondet_int() ? &p.first : &p.second;
  *either = 5;
  if (p.first == p.second)
    reach_error();
  return 0;
}
