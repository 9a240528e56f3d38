// chcverify: --timeout 60
// A word may be anything.
extern void reach_error(void);
int main(int count, char *words[]) {
  if (count < 2) return 1;
  const char *word = words[1];
  if (word[0] == '-' && word[1] == 'x' && word[2] == 0) reach_error();
  return 0;
}
