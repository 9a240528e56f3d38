// chcverify: --timeout 300
// The end of an array member is not the begin of the same member in the next record.
extern void reach_error(void);
struct block { int cells[2]; int rest; } s[2];

int main(void) {
  int *p = s[0].cells;
  p++;
  p++;
  if (p != s[1].cells) reach_error();
  return 0;
}
