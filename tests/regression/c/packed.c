// chcverify: --engine spacer --timeout 20
// Packed records have another layout: this was called false, as if sizeof were 8, and then refused.
extern void reach_error(void);
#pragma pack(1)
struct s {
  char c;
  int i;
};

int main(void) {
  if (sizeof(struct s) == 8)
    reach_error();
  return 0;
}
