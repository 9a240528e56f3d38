// chcverify: --property undefined-behaviour --timeout 60
// A last member that stands for any number of elements.
extern void *malloc(unsigned long size);
struct flexible {
  int count;
  char text[];
};
int main(void) {
  struct flexible *flexible = malloc(sizeof *flexible + 4);
  int n = 3;
  if (flexible) flexible->text[n] = 'y';
  return 0;
}
