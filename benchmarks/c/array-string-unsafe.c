// The literal's characters, its zero, and its size.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  char s[] = "horn";
  const char *t = "clause";
  char u[3] = "abc";
  if (sizeof s != 5 || s[4] != 0 || t[5] != 's' || u[2] != 'c')
    reach_error();
  return 0;
}
