// chcverify: --timeout 60
// argv is never null in a hosted program.
extern void reach_error(void);
int main(int count, char **words) {
  if (count > 3 && !words) reach_error();
  return 0;
}
