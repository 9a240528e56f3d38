// A parser of brackets over six bytes counts the depth.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  char s[6];
  int depth = 0, most = 0, opened = 0;
  for (int i = 0; i < 6; i++)
    s[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 6; i++) {
    if (s[i] == '(' || s[i] == '[') {
      depth++;
      opened++;
    } else if (s[i] == ')' || s[i] == ']') {
      if (depth == 0)
        return 1;
      depth--;
    }
    if (depth > most)
      most = depth;
  }
  if (depth == 0 && (most > 2 || opened > 3))
    reach_error();
  return 0;
}
