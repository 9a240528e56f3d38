// chcverify: --timeout 60
// gcc's atomic functions in a program with one thread.
#include <assert.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int() & 7, expected = 3, old = x;
  assert(__atomic_fetch_add(&x, 5, __ATOMIC_SEQ_CST) == old && x == old + 5);
  assert(__atomic_sub_fetch(&x, 5, __ATOMIC_RELAXED) == old && x == old);
  int done = __atomic_compare_exchange_n(&x, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  assert(done == (old == 3) && x == (done ? 9 : old) && expected == (done ? 3 : old));
  assert(__sync_val_compare_and_swap(&x, old, 4) == (done ? 9 : old));
  __atomic_store_n(&x, 6, __ATOMIC_RELEASE);
  assert(__atomic_exchange_n(&x, 7, __ATOMIC_ACQ_REL) == 6 && __sync_lock_test_and_set(&x, 8) == 7);
  unsigned char byte = 250, *where = &byte;
  assert(__sync_add_and_fetch(where, 10) == 4 && __atomic_fetch_nand(where, 6, 0) == 4 && byte == 251);
  char flag = 0;
  assert(!__atomic_test_and_set(&flag, 0) && __atomic_test_and_set(&flag, 0));
  __atomic_clear(&flag, 0);
  __sync_synchronize();
  assert(!flag && __atomic_load_n(&x, __ATOMIC_ACQUIRE) == 8);
  return 0;
}
