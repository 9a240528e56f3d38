// chcverify: --engine spacer --timeout 30
// Vectors are refused by name.
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
int main(void) {
  four v;
  if (sizeof v == 16)
    reach_error();
  return 0;
}
