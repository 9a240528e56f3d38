// A function pointer in a record, and as an argument.
extern void abort(void);
void reach_error(void) { abort(); }

struct op { int (*apply)(int); int argument; };
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int run(const struct op *op) { return op->apply(op->argument); }
int main(void) {
  struct op a = {twice, 5}, b = {&square, 5};
  if (run(&a) != 10 || run(&b) != 25)
    reach_error();
  return 0;
}
