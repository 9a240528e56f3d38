// chcverify: --entry f --timeout 300
/* An array parameter of pointers leads to one object only; a length of two must not exclude all calls. */
extern void reach_error(void);
void f(int n, char *a[static 2]) {
  if (n == 5) reach_error();
}
