// A tagged union: what was stored is read under the tag that says so.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct value {
  char tag;
  union { int number; char letter; int *place; } as;
};

static int read(struct value *v) { return v->tag == 0 ? v->as.number : v->tag == 1 ? v->as.letter : *v->as.place; }

int main(void) {
  int target = 40;
  struct value v[2];
  v[0].tag = 2;
  v[0].as.place = &target;
  v[1] = v[0];
  v[0].tag = 0;
  v[0].as.number = __VERIFIER_nondet_int();
  if (v[0].as.number > 0 && v[0].as.number < 3 && read(&v[0]) + read(&v[1]) > 42)
    reach_error();
  return 0;
}
