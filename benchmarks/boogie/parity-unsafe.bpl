// As parity, but in the round after the third the bit stays.
procedure Main()
{
  var n: int;
  var odd: bool;
  n, odd := 0, false;
  while (*)
    invariant 0 <= n && odd == (n mod 2 == 1);
  {
    n, odd := n + 1, (if n == 3 then odd else !odd);
    assert n == 7 ==> odd;
  }
  assert odd ==> n >= 1;
}
