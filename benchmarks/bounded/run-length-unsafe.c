// Run-length encoding of six bytes is decoded again.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char in[6], code[12], out[6];
  int n = 0, m = 0;
  for (int i = 0; i < 6; i++)
    in[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 6;) {
    int count = 1;
    while (i + count < 6 && in[i + count] == in[i])
      count++;
    code[n++] = count;
    code[n++] = in[i];
    i += count + (count == 4);
  }
  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < code[i] && m < 6; j++)
      out[m++] = code[i + 1];
  if (m != 6)
    reach_error();
  for (int i = 0; i < 6; i++)
    if (in[i] != out[i])
      reach_error();
  return 0;
}
