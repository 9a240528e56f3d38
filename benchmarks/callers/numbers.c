/* Pairs about numbers: every caller of f_any meets the error of the first function, only a wrong caller of f_wrong. */
#include <assert.h>

int mean_any(int sum, int n) { n = 0; return sum / n; }
int mean_wrong(int sum, unsigned char n) { return sum / n; }

int share_any(unsigned short sum, unsigned short n) { return sum / (n - n); }
int share_wrong(unsigned short sum, unsigned short n) { return sum / (n - 3); }

unsigned rest_any(unsigned a, unsigned b) { return a % (b & 0); }
unsigned rest_wrong(unsigned a, unsigned b) { return a % b; }

unsigned bit_any(unsigned n) { return 1u << (32 + (n & 7)); }
unsigned bit_wrong(unsigned n) { return 1u << n; }

unsigned field_any(unsigned word, unsigned from) { from = 40; return word >> from; }
unsigned field_wrong(unsigned word, unsigned from) { return word >> from; }

int next_any(int n) { n = 2147483647; return n + 1; }
int next_wrong(int n) { return n + 1; }

int previous_any(short n) { int least = -2147483647 - 1; return least - (n & 3) - 1; }
int previous_wrong(int n) { return n - 1; }

int opposite_any(int n) { n = -2147483647 - 1; return -n; }
int opposite_wrong(int n) { return -n; }

int area_any(int width, int height) { return (width & 1 | 65536) * 65536; }
int area_wrong(int width, int height) { return width * height; }

int ordered_any(int low, int high) { assert(low < low); return high; }
int ordered_wrong(int low, int high) { assert(low <= high); return high - high; }
