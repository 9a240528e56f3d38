// A lock is taken and given back as often as the loop goes on.
procedure Main()
{
  var locked: bool;
  var before, now: int;
  locked := false;
  now := 0;
  while (true)
    invariant !locked;
  {
    assert !locked;
    locked := true;
    before := now;
    if (*) {
      assert locked;
      locked := false;
      now := now + 1;
    }
    if (before == now) {
      break;
    }
  }
  assert locked;
  locked := false;
}
