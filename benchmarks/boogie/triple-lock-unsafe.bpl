// As triple-lock.bpl, but the lock is released only if a buffer is left.
// For each buffer of 1024 elements: whether a transfer from or to the main memory is under way.
var busy0, busy1, busy2: bool;

procedure {:inline 1} Start(buffer: int)
  modifies busy0, busy1, busy2;
{
  assert !(if buffer == 0 then busy0 else if buffer == 1 then busy1 else busy2);
  if (buffer == 0) {
    busy0 := true;
  } else if (buffer == 1) {
    busy1 := true;
  } else {
    busy2 := true;
  }
}

procedure {:inline 1} Await(buffer: int)
  modifies busy0, busy1, busy2;
{
  assert (if buffer == 0 then busy0 else if buffer == 1 then busy1 else busy2);
  if (buffer == 0) {
    busy0 := false;
  } else if (buffer == 1) {
    busy1 := false;
  } else {
    busy2 := false;
  }
}

procedure {:inline 1} Use(buffer: int, index: int)
{
  assert !(if buffer == 0 then busy0 else if buffer == 1 then busy1 else busy2) && index < 1024;
}

procedure ReadLength() returns (length: int);
  ensures 0 <= length && length <= 1024;

procedure Main()
  modifies busy0, busy1, busy2;
{
  var current, ahead, tries: int;
  var locked: bool;

  busy0, busy1, busy2 := false, false, false;
  locked := false;
  current, ahead := 0, 2;
  call Start(0);
  call Start(1);
  while (*)
    invariant !locked;
    invariant 0 <= current && current <= 2 && ahead == (if current == 0 then 2 else current - 1);
    invariant busy0 == (ahead != 0) && busy1 == (ahead != 1) && busy2 == (ahead != 2);
  {
    tries := 0;
    while (*)
      invariant tries <= 1024 && !locked && 0 <= current && current <= 2;
      invariant ahead == (if current == 0 then 2 else current - 1);
      invariant busy0 == (ahead != 0) && busy1 == (ahead != 1) && busy2 == (ahead != 2);
    {
      if (tries >= 1024) {
        break;
      }
      tries := tries + 1;
    }
    assert !locked && tries <= 1024;
    locked := true;
    call Start(ahead);
    assert locked;
    locked := ahead == 2;
    call Await(current);
    call Use(current, 0);
    ahead := current;
    current := (if current == 2 then 0 else current + 1);
  }
}
