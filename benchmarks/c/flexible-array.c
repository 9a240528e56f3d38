// Records that end in an array of any length do not overlap.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
struct line { int length; short text[]; };

int main(void) {
  struct line *one = malloc(sizeof *one + 4), *two = malloc(sizeof *two + 4);
  one->text[1] = __VERIFIER_nondet_int();
  two->text[1] = 3;
  two->length = 2;
  if (two->text[1] != 3 || two->length != 2)
    reach_error();
  return 0;
}
