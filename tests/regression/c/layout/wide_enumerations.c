// chcverify: --engine spacer --timeout 30
// Enumerators beyond int have the enumeration's type, the others int; the enumeration is unsigned without negative values.
extern void reach_error(void);
enum wide { SMALL = 1, LARGE = 0x100000000, NEGATIVE = -1 };
enum plain { ZERO, ONE };
int main(void) {
  enum plain p = ZERO;
  if (sizeof(enum wide) != 8 || sizeof SMALL != 4 || sizeof LARGE != 8 || NEGATIVE > 0)
    reach_error();
  p -= 1;
  if (p < ONE)
    reach_error();
  return 0;
}
