// A loop made of goto, left from its middle.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i = 0, n = 0;
again:
  if (i >= 10)
    goto done;
  i++;
  if (i % 2)
    goto again;
  n++;
  goto again;
done:
  if (n != 10)
    reach_error();
  return 0;
}
