// The pointer itself is changed through its address.
extern void abort(void);
void reach_error(void) { abort(); }

static void advance(const int **p) { ++*p; }
int main(void) {
  int a[3] = {4, 5, 6};
  const int *p = a;
  advance(&p);
  advance(&p);
  if (*p != 5)
    reach_error();
  return 0;
}
