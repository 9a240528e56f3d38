/* gcc's built-in functions on bits. There is no result of clz and ctz for 0: any value. */
int __builtin_popcountll(unsigned long long x) {
  x = x - (x >> 1 & 0x5555555555555555u);
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0fu;
  x = x + (x >> 8);
  x = x + (x >> 16);
  x = x + (x >> 32);
  return x & 127;
}

int __builtin_popcount(unsigned x) {
  x = x - (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  x = x + (x >> 4) & 0x0f0f0f0fu;
  x = x + (x >> 8);
  x = x + (x >> 16);
  return x & 63;
}

int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }

int __builtin_parity(unsigned x) { return __builtin_popcount(x) & 1; }

int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }

int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }

int __builtin_clz(unsigned x) {
  int count = 0, unspecified;
  if (x == 0) return unspecified;
  if (x < 0x10000u) { count += 16; x <<= 16; }
  if (x < 0x1000000u) { count += 8; x <<= 8; }
  if (x < 0x10000000u) { count += 4; x <<= 4; }
  if (x < 0x40000000u) { count += 2; x <<= 2; }
  if (x < 0x80000000u) count += 1;
  return count;
}

int __builtin_clzll(unsigned long long x) {
  unsigned high = x >> 32, low = x;
  return high ? __builtin_clz(high) : 32 + __builtin_clz(low);
}

int __builtin_clzl(unsigned long x) { return __builtin_clzll(x) - (64 - 8 * (int)sizeof x); }

int __builtin_ctz(unsigned x) {
  int count = 0, unspecified;
  if (x == 0) return unspecified;
  if ((x & 0xffffu) == 0) { count += 16; x >>= 16; }
  if ((x & 0xffu) == 0) { count += 8; x >>= 8; }
  if ((x & 0xfu) == 0) { count += 4; x >>= 4; }
  if ((x & 3u) == 0) { count += 2; x >>= 2; }
  if ((x & 1u) == 0) count += 1;
  return count;
}

int __builtin_ctzll(unsigned long long x) {
  unsigned high = x >> 32, low = x;
  return low ? __builtin_ctz(low) : 32 + __builtin_ctz(high);
}

int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }

int __builtin_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }

int __builtin_ffsl(long x) { return x ? __builtin_ctzl(x) + 1 : 0; }

int __builtin_ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }

unsigned short __builtin_bswap16(unsigned short x) { return x << 8 | x >> 8; }

unsigned __builtin_bswap32(unsigned x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

unsigned long long __builtin_bswap64(unsigned long long x) {
  unsigned low = x, high = x >> 32;
  return (unsigned long long)__builtin_bswap32(low) << 32 | __builtin_bswap32(high);
}

int ffs(int x) { return __builtin_ffs(x); }

int ffsl(long x) { return __builtin_ffsl(x); }

int ffsll(long long x) { return __builtin_ffsll(x); }

/* Byte order of the network: both data models are little-endian. */
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }

unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }

unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }

unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
