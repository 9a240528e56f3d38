// chcverify: --timeout 60
extern void reach_error(void);
extern int probe(void) __attribute__((weak));
int main(void) {
  if (probe() == 3) reach_error();
  return 0;
}
