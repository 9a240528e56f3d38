// chcverify: --property null,bounds --all-checks --timeout 60
unsigned long strcspn(const char *text, const char *rejected);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *accepted);

int main(int count, char **arguments) {
  char text[1] = "", letters[2] = {'a', 'b'};
  if (strcspn(text, "ab") != 0 || strpbrk("xb", "ab") == 0) return 1;
  if (count > 1) return strpbrk(text, 0) != 0;
  if (count == 0) return strstr(text, letters) != 0;
  return strcspn(text, letters);
}
