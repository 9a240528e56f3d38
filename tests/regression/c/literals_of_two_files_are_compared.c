// chcverify: files/text_of_another_file.c --timeout 120
// Literals of one file are shared, as gcc does it; those with other contents, and null, differ from all others.
extern void reach_error(void);
extern const char *text_of_another_file;
static const char *name(int n) { return n ? "abc" : "abd"; }
int main(void) {
  const char *text = text_of_another_file;
  if (name(1) != "abc" || name(0) == text || text != text_of_another_file || text == 0) reach_error();
  return 0;
}
