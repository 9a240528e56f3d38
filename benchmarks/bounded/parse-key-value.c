// A parser of key=value over eight bytes keeps within its buffers.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  char s[8], key[4], value[4];
  int k = 0, v = 0, state = 0;
  for (int i = 0; i < 8; i++)
    s[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8 && s[i]; i++) {
    if (state == 0) {
      if (s[i] == '=')
        state = 1;
      else if (k < 3)
        key[k++] = s[i];
      else
        return 1;
    } else if (v < 3)
      value[v++] = s[i];
    else
      return 1;
  }
  if (k > 3 || v > 3)
    reach_error();
  key[k] = value[v] = 0;
  return 0;
}
