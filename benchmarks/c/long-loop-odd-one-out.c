// One iteration of many is unlike the others.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int seen = 0;
  int lucky = __VERIFIER_nondet_int();
  if (lucky < 0 || lucky >= 100000)
    return 0;
  for (int i = 0; i < 100000; i++)
    if (i == lucky)
      seen++;
  if (seen != 1)
    reach_error();
  return 0;
}
