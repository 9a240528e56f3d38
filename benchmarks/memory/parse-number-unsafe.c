// Unsafe (valid-deref): The minus sign is skipped without a look at it: of an empty text the byte behind the
// zero is read, and so on.
static int parse(const char *text) {
  int value = 0;
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
