// chcverify: --engine bmc@specialised --timeout 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int mean(int v[6]) {
  long long sum = 0;
  for (int i = 0; i < 6; i++) sum += v[i];
  return sum / 6;
}

int main(void) {
  int v[6], first, before;
  for (int i = 0; i < 6; i++) v[i] = __VERIFIER_nondet_int();
  before = mean(v);
  first = v[0];
  for (int i = 0; i < 5; i++) v[i] = v[i + 1];
  v[5] = first;
  if (mean(v) != before) reach_error();
  return 0;
}
