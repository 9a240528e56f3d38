// Unsafe (no-overflow): as overflow-depth.c, but for: weight = depth(n) * 80000000;
extern int __VERIFIER_nondet_int(void);

static int weight;

static int depth(int n) {
  if (n <= 1)
    return 0;
  return depth(n / 2) + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  weight = depth(n) * 80000000;
  return 0;
}
