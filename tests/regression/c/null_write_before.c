// chcverify: --timeout 60 --engine bmc
extern void reach_error(void);
struct pair { int first, second; };
int main(void) {
  struct pair *p = 0;
  p->second = 1;
  reach_error();
  return 0;
}
