// chcverify: --timeout 60
// As order_of_globals.c, the other way round.
extern void reach_error(void);
static long early, late;
int main(void) {
  long *one = &early, *two = &late;
  if (one < two) reach_error();
  return 0;
}
