// As locking, but the loop also ends after an even number of rounds.
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
    if (before == now || now mod 2 == 0) {
      break;
    }
  }
  assert locked;
  locked := false;
}
