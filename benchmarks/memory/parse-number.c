// Safe: Digits are read up to the first other byte; the text ends with a zero, which is none.
static int parse(const char *text) {
  int value = 0;
  if (*text == '-')
    text++;
  while (*text >= '0' && *text <= '9') {
    value = 10 * value + (*text - '0');
    text++;
  }
  return value;
}

int main(void) {
  static const char *inputs[] = {"-17", "204", ""};
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += parse(inputs[i]);
  return sum == 187;
}
