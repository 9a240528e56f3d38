/* What a 32-bit program needs where there is no 32-bit C library: start, output, memory, strings, 64-bit division. */
typedef __SIZE_TYPE__ size;
int start_of_the_program(int, char **, char **) __asm__("main");
static int system_call(int number, int a, const void *b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
void leave(int status) { for (;;) system_call(1, status, 0, 0); }
__attribute__((force_align_arg_pointer)) void _start(void) {
    static char name[] = "p", *words[] = { name, 0 }, *none[] = { 0 };
    leave(start_of_the_program(1, words, none));
}
void abort(void) { leave(134); }

unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *rest) {
    unsigned long long quotient = 0, left = 0;
    for (int i = 63; i >= 0; i--) {
        int carry = left >> 63;
        left = left << 1 | (a >> i & 1);
        if (carry || left >= b) { left -= b; quotient |= 1ULL << i; }
    }
    if (rest) *rest = left;
    return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) {
    unsigned long long rest;
    __udivmoddi4(a, b, &rest);
    return rest;
}
static unsigned long long magnitude(long long a) { return a < 0 ? -(unsigned long long)a : a; }
long long __divdi3(long long a, long long b) {
    unsigned long long quotient = __udivdi3(magnitude(a), magnitude(b));
    return (a < 0) != (b < 0) ? -quotient : quotient;
}
long long __moddi3(long long a, long long b) {
    unsigned long long rest = __umoddi3(magnitude(a), magnitude(b));
    return a < 0 ? -rest : rest;
}
/* Through the 64 bits of an x87 mantissa, in which every 64-bit integer is exact: one rounding. */
double __floatundidf(unsigned long long a) {
    return (long double)(long long)(a >> 1) * 2 + (long double)(int)(a & 1);
}
float __floatundisf(unsigned long long a) {
    return (long double)(long long)(a >> 1) * 2 + (long double)(int)(a & 1);
}

static void show(long long value) {
    char text[24];
    int at = 24;
    unsigned long long left = magnitude(value);
    text[--at] = '\n';
    do text[--at] = '0' + left % 10; while (left /= 10);
    if (value < 0) text[--at] = '-';
    system_call(4, 1, text + at, 24 - at);
}

static char heap[1 << 16];
static size used;
void *malloc(size n) {
    size *block = (size *)(heap + used);
    used += (n + 2 * sizeof(size) + 15) & ~(size)15;
    *block = n;
    return block + 2;
}
void free(void *p) {}
int printf(const char *format, ...) { return 0; } /* csmith's programs name it; none comes to call it */
void *memset(void *p, int c, size n) { char *q = p; while (n--) *q++ = c; return p; }
void *memmove(void *p, const void *o, size n) {
    char *q = p;
    const char *r = o;
    if (q < r) while (n--) *q++ = *r++; else while (n--) q[n] = r[n];
    return p;
}
void *memcpy(void *p, const void *o, size n) { return memmove(p, o, n); }
void *calloc(size n, size m) { return memset(malloc(n * m), 0, n * m); }
void *realloc(void *p, size n) {
    void *made = malloc(n);
    size old = p ? ((size *)p)[-2] : 0;
    return memmove(made, p, old < n ? old : n);
}
int memcmp(const void *p, const void *o, size n) {
    const unsigned char *q = p, *r = o;
    for (; n--; q++, r++) if (*q != *r) return *q - *r;
    return 0;
}
size strlen(const char *s) { size n = 0; while (s[n]) n++; return n; }
char *strcpy(char *s, const char *t) { return memmove(s, t, strlen(t) + 1); }
char *strcat(char *s, const char *t) { strcpy(s + strlen(s), t); return s; }
char *strncpy(char *s, const char *t, size n) {
    size i = 0;
    for (; i < n && t[i]; i++) s[i] = t[i];
    for (; i < n; i++) s[i] = 0;
    return s;
}
int strncmp(const char *s, const char *t, size n) {
    for (; n--; s++, t++) if (*s != *t || !*s) return *(unsigned char *)s - *(unsigned char *)t;
    return 0;
}
int strcmp(const char *s, const char *t) { return strncmp(s, t, -1); }
char *strchr(const char *s, int c) { for (;; s++) { if (*s == (char)c) return (char *)s; if (!*s) return 0; } }
int abs(int n) { return n < 0 ? -n : n; }
char *stpcpy(char *s, const char *t) { return strcpy(s, t) + strlen(t); }
void *mempcpy(void *p, const void *o, size n) { return (char *)memmove(p, o, n) + n; }
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int strcasecmp(const char *s, const char *t) {
    while (*s && lower(*s) == lower(*t)) s++, t++;
    return lower(*s) - lower(*t);
}
double sqrt(double x) { __asm__("sqrtsd %0, %0" : "+x"(x)); return x; }
float sqrtf(float x) { __asm__("sqrtss %0, %0" : "+x"(x)); return x; }
double rint(double x) { long double y = x; __asm__("frndint" : "+t"(y)); return y; }
double copysign(double x, double y) {
    union { double d; unsigned long long bits; } a = { x }, b = { y };
    a.bits = a.bits << 1 >> 1 | b.bits >> 63 << 63;
    return a.d;
}
long lround(double x) { return x < 0 ? x - 0.5 : x + 0.5; } /* for small numbers */
int ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
void qsort(void *base, size n, size width, int (*order)(const void *, const void *)) {
    char *a = base, other[64];
    for (size i = 0; i < n; i++)
        for (size j = 0; j + 1 < n - i; j++) {
            char *p = a + j * width, *q = p + width;
            if (order(p, q) > 0) { memcpy(other, p, width); memcpy(p, q, width); memcpy(q, other, width); }
        }
}
void *bsearch(const void *key, const void *base, size n, size width, int (*order)(const void *, const void *)) {
    for (const char *p = base; n--; p += width) if (order(key, p) == 0) return (void *)p;
    return 0;
}
double fabs(double x) { return copysign(x, 0); }
float fabsf(float x) { return copysign(x, 0); }
char *strrchr(const char *s, int c) { const char *at = 0; for (;; s++) { if (*s == (char)c) at = s; if (!*s) return (char *)at; } }
size strspn(const char *s, const char *set) { size n = 0; while (s[n] && strchr(set, s[n])) n++; return n; }
size strcspn(const char *s, const char *set) { size n = 0; while (s[n] && !strchr(set, s[n])) n++; return n; }
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : 0; }
size strnlen(const char *s, size most) { size n = 0; while (n < most && s[n]) n++; return n; }
char *strncat(char *s, const char *t, size n) {
    char *end = s + strlen(s);
    size length = strnlen(t, n);
    memcpy(end, t, length);
    end[length] = 0;
    return s;
}
char *strstr(const char *s, const char *t) {
    size n = strlen(t);
    for (;; s++) { if (!strncmp(s, t, n)) return (char *)s; if (!*s) return 0; }
}
void *memchr(const void *p, int c, size n) {
    for (const unsigned char *q = p; n--; q++) if (*q == (unsigned char)c) return (void *)q;
    return 0;
}
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= 32 && c < 127; }
int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c); }
int iscntrl(int c) { return c < 32 || c == 127; }
int toupper(int c) { return islower(c) ? c - 32 : c; }
int tolower(int c) { return lower(c); }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
long strtol(const char *s, char **end, int base) { /* of numbers that are not too large */
    const char *start = s;
    while (isspace(*s)) s++;
    int minus = *s == '-', any = 0;
    if (*s == '-' || *s == '+') s++;
    int hex = *s == '0' && (s[1] | 32) == 'x' && isxdigit(s[2]);
    if ((base == 0 || base == 16) && hex) { base = 16; s += 2; }
    if (base == 0) base = *s == '0' ? 8 : 10;
    long n = 0;
    for (;; s++, any = 1) {
        int digit = isdigit(*s) ? *s - '0' : isalpha(*s) ? lower(*s) - 'a' + 10 : 99;
        if (digit >= base) break;
        n = n * base + digit;
    }
    if (end) *end = (char *)(any ? s : start);
    return minus ? -n : n;
}
int atoi(const char *s) { return strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
static double rounded(double x, int way) { /* way: the bits of the x87 unit's control word */
    unsigned short before, now;
    long double y = x;
    __asm__ volatile("fnstcw %0" : "=m"(before));
    now = (before & ~0xc00) | way << 10;
    __asm__ volatile("fldcw %1\n\tfrndint\n\tfldcw %2" : "+t"(y) : "m"(now), "m"(before));
    return y;
}
double floor(double x) { return rounded(x, 1); }
double ceil(double x) { return rounded(x, 2); }
double trunc(double x) { return rounded(x, 3); }
double nearbyint(double x) { return rounded(x, 0); }
double round(double x) {
    double whole = trunc(x), rest = x - whole;
    return copysign(rest >= 0.5 || rest <= -0.5 ? whole + copysign(1, x) : whole, x);
}
float floorf(float x) { return floor(x); }
float ceilf(float x) { return ceil(x); }
float roundf(float x) { return round(x); }
double fmin(double x, double y) { return x != x ? y : y < x ? y : x; }
double fmax(double x, double y) { return x != x ? y : y > x ? y : x; }
double fdim(double x, double y) { return x != x ? x : y != y ? y : x > y ? x - y : 0; }

/* Products of complex numbers where both parts are no numbers. */
double _Complex __muldc3(double a, double b, double c, double d) {
  double _Complex product;
  __real__ product = a * c - b * d;
  __imag__ product = a * d + b * c;
  return product;
}

float _Complex __mulsc3(float a, float b, float c, float d) {
  float _Complex product;
  __real__ product = a * c - b * d;
  __imag__ product = a * d + b * c;
  return product;
}
