// chcverify: --timeout 60
// Which of two objects comes first is not known.
extern void reach_error(void);
static long early, late;
int main(void) {
  long *one = &early, *two = &late;
  if (one > two) reach_error();
  return 0;
}
