// chcverify: --engine spacer --timeout 30
// The size of an enumeration that is named before its definition may be another one than that of int: it was called true.
extern void reach_error(void);
enum later;
enum later *pointer;
enum __attribute__((packed)) later { ONE };
enum later whole;
int main(void) {
  if (sizeof(*pointer) == 1 && sizeof whole == 1)
    reach_error();
  return 0;
}
