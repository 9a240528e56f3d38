// chcverify: --timeout 60
extern void reach_error(void);

int main(void) {
  char text[10];
  if (__builtin_object_size(text, 0) < 11) reach_error();
  return 0;
}
