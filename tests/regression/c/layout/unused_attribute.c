// chcverify: --engine spacer --timeout 30
// An attribute that is not modelled does no harm where nothing uses the declaration.
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
extern four sum(four a, four b);
int main(void) {
  int x = 3;
  if (x != 3)
    reach_error();
  return 0;
}
