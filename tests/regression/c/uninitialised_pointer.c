// chcverify: --engine spacer --timeout 20
// A pointer without a value may be equal to any other: this was called true.
extern void reach_error(void);
int a;

int main(void) {
  int *p;
  if (p == &a)
    reach_error();
  return 0;
}
