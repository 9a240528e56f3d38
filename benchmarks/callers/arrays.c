/* Pairs about arrays: every caller of f_any meets the error of the first function, only a wrong caller of f_wrong. */
#include <stddef.h>
#include <string.h>

int sum_any(const int *a, unsigned n) { int s = 0; for (unsigned i = 0; i <= n; i++) s ^= a[i]; return s; }
int sum_wrong(const int *a, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= a[i]; return s; }

int first_any(const int *a, int n) { return a[-1]; }
int first_wrong(const int *a, int n) { return a[0] / n; }

int last_any(const char *a, unsigned char n) { return a[n]; }
int last_wrong(const char *a, unsigned char n) { return a[n - 1]; }

static const char digits[16] = "0123456789abcdef";
char digit_any(unsigned d) { return digits[(d & 15) + 1]; }
char digit_wrong(unsigned d) { return digits[d]; }

static int table[8];
void store_any(int at, int value) { at = 8; table[at] = value; }
void store_wrong(int at, int value) { table[at] = value; }

void clear_any(char *to, size_t n) { memset(to, 0, n + 1); }
void clear_wrong(char *to, size_t n) { memset(to, 0, n); }

void copy_any(unsigned char *to, const unsigned char *from, size_t n) { for (size_t i = 0; i <= n; i++) to[i] = from[i]; }
void copy_wrong(unsigned char *to, const unsigned char *from, size_t n) { for (size_t i = 0; i < n; i++) to[i] = from[i]; }

void block_any(unsigned char *key) { unsigned char t[4]; for (int i = 0; i < 8; i++) t[i] = key[0]; }
void block_wrong(unsigned char *key) { for (int i = 0; i < 8; i++) key[i] = 0; }

int local_any(unsigned n) { int t[4] = {0}; return t[(n & 1) + 4]; }
int local_wrong(unsigned n) { int t[4] = {0}; return t[n]; }

void swap_any(int *a, unsigned n) { int t = a[0]; a[0] = a[n - 1]; a[n] = t; }
void swap_wrong(int *a, unsigned n) { int t = a[0]; a[0] = a[n - 1]; a[n - 1] = t; }
