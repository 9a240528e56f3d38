// chcverify: --timeout 60 --property division --entry f
// A pointer that was moved forward, and an access before it: runs go on behind that, in an object that is large enough.
int f(int *p, unsigned zero) {
  p += 10;
  p[-3] = 1;
  if (zero > 77777777 && zero * 3 == 1234567) return 1 / (zero - zero);
  return 0;
}
