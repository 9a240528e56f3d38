// 64 bits under both data models.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  long long a = 1LL << 40;
  unsigned long long b = -1;
  if (a / 1024 != 1073741824LL || b / 2 != 9223372036854775807ULL || b + 2 != 0)
    reach_error();
  return 0;
}
