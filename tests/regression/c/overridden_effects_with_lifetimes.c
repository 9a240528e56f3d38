// chcverify: --property undefined-behaviour
struct point { int x, y; };
static int counter;
static int next(void) { return ++counter; }
int main(void) {
  struct point p = {.x = next(), .y = 2, .x = next()};
  int *q = &p.x;
  {
    int inner = 3;
    q = &inner;
  }
  return *q;  // inner has ended
}
