// chcverify: --timeout 60
#include <pthread.h>
extern void reach_error(void);
int cells[3];
void *work(void *arg) {
  int i = (int)(long)arg;
  cells[i] = 10 * i;
  return (void *)(long)(i + 5);
}
int main(void) {
  pthread_t one, two;
  void *first, *second;
  pthread_create(&one, 0, work, (void *)1L);
  pthread_create(&two, 0, work, (void *)2L);
  pthread_join(one, &first);
  pthread_join(two, &second);
  if (cells[2] != 20 || (long)first != 6 || (long)second != 6) reach_error();
  return 0;
}
