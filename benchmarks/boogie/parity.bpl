// The last bit of a counter changes in every round.
procedure Main()
{
  var n: int;
  var odd: bool;
  n, odd := 0, false;
  while (*)
    invariant 0 <= n && odd == (n mod 2 == 1);
  {
    n, odd := n + 1, !odd;
    assert n == 7 ==> odd;
  }
  assert odd ==> n >= 1;
}
