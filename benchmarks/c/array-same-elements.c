// A flag says whether two arrays are the same; the unsafe one takes back that they differ.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3000)
    return 0;
  int left[n], right[n], same = 1;
  for (int i = 0; i < n; i++) {
    left[i] = __VERIFIER_nondet_int();
    right[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++)
    if (left[i] != right[i])
      same = 0;
  if (same)
    for (int i = 0; i < n; i++)
      if (left[i] != right[i])
        reach_error();
  return 0;
}
