// chcverify: --timeout 60
/* Without any header: the prototypes are the program's own, the functions are the library's. */
void *malloc(unsigned long);
void *memset(void *, int, unsigned long);
unsigned long strlen(const char *);
int abs(int);
extern void reach_error(void);
int main(void) {
  char *p = malloc(4), *(*clear)() = 0;
  memset(p, 'x', 3);
  p[3] = 0;
  if (strlen(p) != 3 || abs(-2) != 2 || clear) reach_error();
  return 0;
}
