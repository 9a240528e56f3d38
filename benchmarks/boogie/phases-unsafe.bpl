// As phases, but the second loop ends one step too early.
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
  while (at > 1)
    invariant 0 <= at && way == 2 * at;
  {
    at, way := at - 1, way - 2;
  }
  assert way == 0;
}
