// Heights above the least one are not negative, and so is their sum; the unsafe one takes the least of all but the last.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000)
    return 0;
  int height[n], above[n];
  int least = 8000, sum = 0;
  for (int i = 0; i < n; i++) {
    height[i] = __VERIFIER_nondet_int();
    if (height[i] < -8000 || height[i] > 8000)
      return 0;
  }
  for (int i = 0; i < n - 1; i++)
    if (height[i] < least)
      least = height[i];
  for (int i = 0; i < n; i++)
    above[i] = height[i] - least;
  for (int i = 0; i < n; i++)
    sum = sum + above[i];
  if (sum < 0)
    reach_error();
  return 0;
}
