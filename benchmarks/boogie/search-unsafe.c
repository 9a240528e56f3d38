// As search.c, but the first element is left out.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int a[1000], n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  int place = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000 || place < 0 || place >= n)
    return 0;
  int at = 1;
  while (at < n && a[at] != key)
    at++;
  if (at < n)
    check(a[at] == key);
  else
    check(a[place] != key);
  return 0;
}
