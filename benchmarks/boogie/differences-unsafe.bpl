// As differences, but the second difference grows by five when it is 18.
procedure Main(count: int)
{
  var n, second: int;
  n, second := 0, 6;
  while (n < count)
    invariant second == 6 * n + 6;
  {
    second := second + (if second == 18 then 5 else 6);
    n := n + 1;
  }
  assert second == 6 * n + 6;
}
