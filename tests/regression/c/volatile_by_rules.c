// chcverify: --timeout 60
// By the rules of the competition nobody else is there.
extern void reach_error(void);
extern volatile int port;
int main(void) {
  int first = port;
  if (port != first) reach_error();
  return 0;
}
