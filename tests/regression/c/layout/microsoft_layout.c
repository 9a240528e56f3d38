// chcverify: --engine spacer --timeout 30
// Another compiler's layout is refused by name.
extern void reach_error(void);
struct __attribute__((ms_struct)) s { short a : 3; int b : 3; };
int main(void) {
  if (sizeof(struct s) == 8)
    reach_error();
  return 0;
}
