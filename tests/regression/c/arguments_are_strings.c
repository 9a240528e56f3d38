// chcverify: --timeout 60
// Each of the first argc words is a string; two of them are different objects.
extern void reach_error(void);
int main(int count, char *words[]) {
  if (count != 2) return 1;
  char *first = words[0], *second = words[1];
  if (first == 0 || second == 0 || first == second) reach_error();
  return 0;
}
