// chcverify: --engine df-segments@cells --timeout 600 --data-model ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size < 2 || size > 5000 || size % 2 != 0)
    return 0;
  int parts[size];
  int i;
  for (i = 1; i <= size / 2; i++) { // two cells at a time
    parts[2 * i - 2] = 4;
    parts[2 * i - 1] = 6;
  }
  for (i = 0; i < size; i++)
    if (parts[i] < 4)
      reach_error();
  return 0;
}
