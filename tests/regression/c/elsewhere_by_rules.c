// chcverify: --timeout 60
// The rules of the competition: functions without a body change nothing.
extern void reach_error(void);
int measure(int *celsius);
int main(void) {
  int celsius = 20;
  measure(&celsius);
  if (celsius != 20) reach_error();
  return 0;
}
