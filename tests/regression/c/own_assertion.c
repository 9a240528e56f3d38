// chcverify: --timeout 60
// A macro of the program's own: nothing says what its function does.
void check_failed(const char *file, int line);
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__))
int main(void) {
  int x = 3;
  CHECK(x == 4);
  return 0;
}
