static long total(int count, __builtin_va_list list) {
  long sum = 0;
  for (int i = 0; i < count; i++) sum = sum * 3 + (i % 2 ? __builtin_va_arg(list, long) : __builtin_va_arg(list, int));
  return sum;
}
static long sum(int count, ...) {
  __builtin_va_list list, again;
  __builtin_va_start(list, count);
  __builtin_va_copy(again, list);
  long first = count > 0 ? __builtin_va_arg(again, unsigned) : 0, result = total(count, list);
  __builtin_va_end(again);
  __builtin_va_end(list);
  return result * 1000 + first % 1000;
}
static int many(const char *kinds, ...) {
  __builtin_va_list list;
  int found = 0;
  __builtin_va_start(list, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
    case 'c': found = found * 7 + (char)__builtin_va_arg(list, int); break;
    case 'd': found = found * 7 + (int)(__builtin_va_arg(list, double) * 4); break;
    case 's': found = found * 7 + *__builtin_va_arg(list, const char *); break;
    case 'p': found = found * 7 + *__builtin_va_arg(list, int *); break;
    case 'u': found = found * 7 + (int)(__builtin_va_arg(list, unsigned long) % 1000); break;
  }
  __builtin_va_end(list);
  return found;
}
int main(void) {
  short s = -7;
  float f = 1.75f;
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int(), x = first;
  out_0 = sum(0);
  out_1 = sum(3, s, 40L, first);
  out_2 = sum(1, 'a');
  out_3 = many("csdpu", second, "text", f, &x, (unsigned long)-1);
  out_4 = many("dd", 0.5, (double)first);
  finish();
}
