static short shared = 32767;
static long wide = -5;
int main(void) {
  int x = __VERIFIER_nondet_int(), old = x, wanted = __VERIFIER_nondet_int();
  out_0 = __atomic_fetch_add(&shared, 2, 0);
  out_1 = shared;
  out_2 = __sync_sub_and_fetch(&shared, 1);
  out_3 = __atomic_and_fetch(&wide, 12, __ATOMIC_SEQ_CST);
  out_4 = __atomic_fetch_nand(&wide, 9, 0) * 100 + wide;
  out_5 = __atomic_compare_exchange_n(&x, &wanted, 9, 0, 0, 0);
  out_6 = x;
  out_7 = wanted;
  out_8 = __sync_val_compare_and_swap(&x, old, 4);
  out_9 = __sync_bool_compare_and_swap(&x, 4, 5) * 10 + x;
  out_10 = __atomic_exchange_n(&x, 7, 0) + __sync_lock_test_and_set(&x, 8) * 100 + x;
  _Bool flag = 0;
  out_11 = __atomic_test_and_set(&flag, 0);
  out_12 = __atomic_test_and_set(&flag, 0);
  __atomic_clear(&flag, 0);
  out_13 = flag;
  __atomic_load(&wide, &wide, 0);
  __atomic_store(&x, &old, 0);
  out_14 = x + __atomic_load_n(&wide, 0);
  finish();
}
