// chcverify: --timeout 60
/* Each expansion has a label of its own. */
extern void reach_error(void);
#define FIRST(x) ({ __label__ out; int result = 0; if (x) goto out; result = 1; out: result; })
int main(void) {
  if (FIRST(1) + FIRST(0) != 1) reach_error();
  return 0;
}
