// chcverify: --timeout 60
/* long double has more digits than double. */
extern void reach_error(void);
int main(void) {
  long double exact = 1.0L / 3;
  double third = 1.0 / 3;
  if (exact != third) reach_error();
  return 0;
}
