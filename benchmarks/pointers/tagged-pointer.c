// Safe: The lowest bit of an address is a mark.
extern int __VERIFIER_nondet_int(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

struct node {
  long value;
  unsigned long left;
};

int main(void) {
  struct node *parent = malloc(sizeof(struct node));
  struct node *child = malloc(sizeof(struct node));
  parent->left = (unsigned long)child;
  if (__VERIFIER_nondet_int())
    parent->left |= 1;
  child->value = 7;
  if (parent->left & 1)
    parent->value = 1;
  struct node *back = (struct node *)(parent->left & ~1ul);
  back->value = 8;
  free(back);
  free(parent);
  return 0;
}
