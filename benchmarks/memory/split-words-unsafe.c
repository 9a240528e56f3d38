// Unsafe (valid-deref): The comparison lets a third word in, whose position is written beyond the array.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char line[6];
  int words[2], count = 0;
  for (int i = 0; i < 5; i++) {
    line[i] = __VERIFIER_nondet_char();
    if (line[i] == 0)
      line[i] = ' ';
  }
  line[5] = 0;
  for (int i = 0; line[i]; i++)
    if (line[i] != ' ' && (i == 0 || line[i - 1] == ' ') && count <= 2)
      words[count++] = i;
  return count > 0 ? words[count - 1] : 0;
}
