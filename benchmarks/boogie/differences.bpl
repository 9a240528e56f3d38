// Cubes by their differences: the second difference grows by six in every round.
procedure Main(count: int)
{
  var n, second: int;
  n, second := 0, 6;
  while (n < count)
    invariant second == 6 * n + 6;
  {
    second := second + 6;
    n := n + 1;
  }
  assert second == 6 * n + 6;
}
