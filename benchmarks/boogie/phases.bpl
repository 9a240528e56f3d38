// Two loops: the second goes back by as much as the first went on.
procedure Main(steps: int)
  requires 0 <= steps;
{
  var at, way: int;
  at, way := 0, 0;
  while (at < steps)
    invariant 0 <= at && at <= steps && way == 2 * at;
  {
    at, way := at + 1, way + 2;
  }
  while (at > 0)
    invariant 0 <= at && way == 2 * at;
  {
    at, way := at - 1, way - 2;
  }
  assert way == 0;
}
