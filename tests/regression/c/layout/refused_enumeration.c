// chcverify: --engine spacer --timeout 30
// An enumeration that is refused stays so, named by its tag alone: it is not taken for unsigned int.
extern void reach_error(void);
enum __attribute__((some_other_width)) e { ONE };
int main(void) {
  if (sizeof(enum e) == 4)
    reach_error();
  return 0;
}
