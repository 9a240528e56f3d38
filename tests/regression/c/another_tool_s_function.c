// chcverify: --timeout 60
extern void reach_error(void);
int main(void) {
  int x = 1;
  __CPROVER_havoc_object(&x);
  if (x != 1) reach_error();
  return 0;
}
