// chcverify: --engine spacer --timeout 30
// Another order of bytes is refused by name.
extern void reach_error(void);
struct s { int a; } __attribute__((scalar_storage_order("big-endian")));
int main(void) {
  struct s v = {1};
  if (*(char *)&v == 0)
    reach_error();
  return 0;
}
