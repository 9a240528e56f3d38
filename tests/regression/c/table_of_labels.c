// chcverify: --timeout 60
/* A table of labels: each operation goes on at the next one. */
extern void reach_error(void);
static int run(const unsigned char *code) {
  static const void *const operations[] = {&&increment, &&twice, &&end};
  int value = 1;
  goto *operations[*code++];
increment:
  value++;
  goto *operations[*code++];
twice:
  value *= 2;
  goto *operations[*code++];
end:
  return value;
}
int main(void) {
  unsigned char code[4] = {0, 1, 0, 2};
  if (run(code) != 5) reach_error();
  return 0;
}
