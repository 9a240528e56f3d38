// chcverify: --engine spacer --timeout 30
// An attribute that no compiler documents is refused where it is used.
extern void reach_error(void);
struct __attribute__((some_other_layout)) s { char c; int i; };
int main(void) {
  if (sizeof(struct s) == 8)
    reach_error();
  return 0;
}
