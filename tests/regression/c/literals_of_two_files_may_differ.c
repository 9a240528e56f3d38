// chcverify: files/text_of_another_file.c --timeout 120
// Equal string literals of two files are distinct, or one array (C11 6.4.5p7): with gcc they differ unless it optimises.
extern void reach_error(void);
extern const char *text_of_another_file;
int main(void) {
  if ("abc" != text_of_another_file) reach_error();
  return 0;
}
