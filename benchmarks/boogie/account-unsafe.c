// As account.c, but the receiver gets one more.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int balance[4] = {10, 0, 0, 0};

static void transfer(int from, int to, int amount) {
  balance[from] -= amount;
  balance[to] += amount + 1;
}

int main(void) {
  int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int(), amount = __VERIFIER_nondet_int();
  if (from < 0 || from >= 4 || to < 0 || to >= 4 || from == to || amount < 0 || amount > balance[from])
    return 0;
  int before = balance[from] + balance[to];
  transfer(from, to, amount);
  check(balance[from] + balance[to] == before && balance[from] >= 0);
  return 0;
}
