// A string is appended to another one; the unsafe one overwrites the last character of the first.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 4000)
    return 0;
  int first[n], second[n], whole[2 * n];
  for (int i = 0; i < n; i++) {
    first[i] = __VERIFIER_nondet_int();
    second[i] = __VERIFIER_nondet_int();
  }
  first[n - 1] = second[n - 1] = 0;
  int i = 0, j = 0;
  while (first[i] != 0) {
    whole[i] = first[i];
    i++;
  }
  while (second[j] != 0) {
    whole[i + j] = second[j];
    j++;
  }
  for (int k = 0; k < i; k++)
    if (whole[k] != first[k])
      reach_error();
  return 0;
}
