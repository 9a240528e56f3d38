/* GNU constructs: case ranges, ?: with two operands, built-in functions on bits. */
extern void show(long value);

int calls;
int next(void) { return ++calls; }

int kind(int x) {
  switch (x) {
  case 1 ... 3: return 1;
  case 5: return 2;
  case -10 ... -2: return 3;
  case 9 ... 8: return 7;
  case 'a' ... 'a': return 4;
  default: return 0;
  }
}

int through(unsigned char x) {
  int sum = 0;
  switch (x) {
  case 0 ... 99: sum += 1;
  case 100: sum += 2; break;
  case 101 ... 255: sum += 4;
  }
  return sum;
}

int main(void) {
  int values[] = {1, 3, 4, 5, -10, -2, -1, 8, 9, 'a', 'b'};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) show(kind(values[i]));
  show(through(0)); show(through(99)); show(through(100)); show(through(101)); show(through(255));
  show(next() ?: 9); show(0 ?: next()); show(calls ?: next()); show(calls);
  int *null = 0, object = 5;
  show(*(null ?: &object)); show((calls - 2 ?: 7) + (calls ?: 7)); show(0.5 ?: 3 > 2);
  unsigned bits[] = {1, 2, 3, 0x80000000u, 0xf0f1u, 0xffffffffu, 0x00ff00u, 0x12345678u};
  for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++) {
    unsigned x = bits[i];
    unsigned long y = (unsigned long)x << 17;
    show(__builtin_popcount(x)); show(__builtin_popcountl(y)); show(__builtin_popcountll(~(unsigned long long)y));
    show(__builtin_clz(x)); show(__builtin_clzl(y)); show(__builtin_clzll(y));
    show(__builtin_ctz(x)); show(__builtin_ctzl(y)); show(__builtin_ctzll(y));
    show(__builtin_ffs(x)); show(__builtin_ffsl(y)); show(__builtin_ffsll(y));
    show(__builtin_parity(x)); show(__builtin_parityl(y)); show(__builtin_parityll(y));
    show(__builtin_bswap16(x)); show(__builtin_bswap32(x)); show(__builtin_bswap64(y));
  }
  show(__builtin_ffs(0)); show(__builtin_popcount(0)); show(__builtin_parity(0));
  return 0;
}
