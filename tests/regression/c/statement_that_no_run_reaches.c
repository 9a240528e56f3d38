// chcverify: --timeout 60
// Statements that are not modelled, in all kinds of positions that no run reaches.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pair {
  int a, b;
};
static struct pair one = {1, 2}, other = {3, 4};
static int odd(int x) {
  if (x == 1) __asm__("nop");
  if (x == 2) return ({ __asm__("nop"); 5; });
  while (x == 3 && ({ __asm__("nop"); 1; })) x++;
  switch (x) {
  case 4: {
    int v __attribute__((vector_size(16)));
  }
  case 5:
    goto inside;
  case 6:
    for (({ __asm__("nop"); }); x; x--)
    inside:
      if (x == 5) return 50;
  }
  return x;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 5 || x == 6) x = 5;
  struct pair chosen = x > 7 ? one : other;
  assert(chosen.b == (x > 7 ? 2 : 4));
  x = odd(x);
  assert(x == 50 || x > 6);
  return 0;
}
