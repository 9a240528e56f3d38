// As inlined.bpl, with a wrong assertion.
var count: int;

procedure {:inline 1} Next(step: int) returns (before: int)
  modifies count;
{
  before := count;
  if (step < 0) {
    return;
  }
  count := count + step;
}

procedure Client()
  modifies count;
{
  var a, b: int;
  count := 0;
  call a := Next(2);
  call b := Next(-3);
  assert a == 0 && b == 2 && count == -1;
}
