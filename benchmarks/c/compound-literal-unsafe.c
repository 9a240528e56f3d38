// An unnamed object of its block.
extern void abort(void);
void reach_error(void) { abort(); }

struct pair { int a, b; };
static int total(const struct pair *p) { return p->a + p->b; }
int main(void) {
  int *v = (int[]){1, 2, 3};
  v[1] += 10;
  if (total(&(struct pair){.b = 4, .a = 3}) != 7 || v[1] != 2)
    reach_error();
  return 0;
}
