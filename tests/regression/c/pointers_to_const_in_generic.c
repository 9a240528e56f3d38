// chcverify: --timeout 60
// Pointers to const objects and pointers to others are no compatible types (C11 6.7.6.1p2), also behind casts.
extern void reach_error(void);
#define KIND(e) _Generic((e), char *: 1, const char *: 2, const int *: 3, default: 4)
struct text { const char *start; int length; const int kind; };
int main(void) {
  const char *s = "a";
  const int n = 1, row[2] = {1, 2};
  int m = 2;
  struct text t = {s, 1, 2};
  char **table = 0;
  __auto_type literal = "b";
  if (KIND(s) != 2 || KIND((char *)s) != 1 || KIND((const char *)literal) != 2 || KIND(literal) != 1) reach_error();
  if (KIND(&n) != 3 || KIND(&m) != 4 || KIND(row) != 3 || KIND(row + 1) != 3 || KIND(&t.kind) != 3) reach_error();
  if (KIND(t.start) != 2 || KIND(&t.length) != 4 || KIND(m ? literal : s) != 2 || KIND(m ? s : literal) != 2) reach_error();
  if (_Generic(table, const char **: 1, char *const *: 2, char **: 3) != 3) reach_error();
  if (_Generic(&s, char **: 1, const char **: 2) != 2) reach_error();
  if (__builtin_types_compatible_p(const char *, char *) || !__builtin_types_compatible_p(char *const, char *)) reach_error();
  if (KIND(&(const int){1}) != 3 || KIND(((const int[]){1, 2})) != 3 || KIND(&((const struct text){0}).length) != 3) reach_error();
  if (KIND(&(int){1}) != 4 || KIND((const char[]){"a"}) != 2 || KIND((char[]){"a"}) != 1) reach_error();
  return 0;
}
