// chcverify: --engine df-segments@cells --timeout 600 --data-model ILP32
extern void reach_error(void);

int main(void) {
  int word[5000], mirrored[5000]; // of any values
  int i;
  for (i = 0; i < 5000; i++)
    mirrored[5000 - 1 - i] = word[i];
  for (i = 0; i < 5000; i++)
    if (word[i] != mirrored[5000 - 1 - i])
      reach_error();
  return 0;
}
