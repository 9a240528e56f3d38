// chcverify: --engine spacer@specialised --timeout 600 --data-model ILP32
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int score(int results[24]) {
  int points = 0;
  for (int i = 0; i < 24; i++) points = points + results[i] * 3;
  return points / 7;
}

int main(void) {
  int results[24];
  for (int i = 0; i < 24; i++) {
    results[i] = __VERIFIER_nondet_int();
    if (results[i] < -1000 || results[i] > 1000) return 0;
  }
  int first = score(results);
  for (int i = 0; i < 12; i++) {
    int kept = results[i];
    results[i] = results[23 - i];
    results[23 - i] = kept;
  }
  if (score(results) != first) reach_error();
  return 0;
}
