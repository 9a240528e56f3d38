// chcverify: --timeout 60
// A program can be started without even its own name.
extern void reach_error(void);
int main(int count, char *words[]) {
  if (words[0] == 0) reach_error();
  return count;
}
