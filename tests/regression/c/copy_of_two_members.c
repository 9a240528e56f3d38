// chcverify: --data-model LP64
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
struct triple { int a, b, c; };
int main(void) {
  struct triple s = { 1, 2, 3 }, t = { 4, 5, 6 };
  memcpy(&t.b, &s.b, 8);
  if (t.a == 4 && t.b == 2 && t.c == 3) reach_error();
  return 0;
}
