// Unsafe (valid-deref): The last pointer is null.
int main(int argc, char **argv) {
  int found = 0;
  for (int i = 1; i <= argc; i++)
    for (const char *at = argv[i]; *at; at++)
      if (*at == 'v')
        found++;
  return found;
}
