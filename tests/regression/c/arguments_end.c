// chcverify: --timeout 60
// Behind the last word is a null pointer.
extern void reach_error(void);
int main(int count, char *words[]) {
  char *behind = words[count];
  if (behind) reach_error();
  return 0;
}
