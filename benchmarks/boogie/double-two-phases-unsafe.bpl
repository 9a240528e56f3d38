// As double-two-phases.bpl, but the second phase begins with the other buffer.
// For each buffer of 1024 elements: whether a transfer from or to the main memory is under way.
var busy0, busy1: bool;

procedure {:inline 1} Start(buffer: int)
  modifies busy0, busy1;
{
  assert !(if buffer == 0 then busy0 else busy1);
  if (buffer == 0) {
    busy0 := true;
  } else {
    busy1 := true;
  }
}

procedure {:inline 1} Await(buffer: int)
  modifies busy0, busy1;
{
  assert (if buffer == 0 then busy0 else busy1);
  if (buffer == 0) {
    busy0 := false;
  } else {
    busy1 := false;
  }
}

procedure {:inline 1} Use(buffer: int, index: int)
{
  assert !(if buffer == 0 then busy0 else busy1) && index < 1024;
}

procedure ReadLength() returns (length: int);
  ensures 0 <= length && length <= 1024;

procedure Main()
  modifies busy0, busy1;
{
  var current, length, count, i: int;

  busy0, busy1 := false, false;
  current := 0;
  call Start(0);
  while (*)
    invariant current == 0 || current == 1;
    invariant busy0 == (current == 0) && busy1 == (current == 1);
  {
    call length := ReadLength();
    call Start(1 - current);
    call Await(current);
    count := 0;
    while (*)
      invariant 0 <= count && count <= length && length <= 1024 && (current == 0 || current == 1);
      invariant busy0 == (current == 1) && busy1 == (current == 0);
    {
      if (count >= length) {
        break;
      }
      call Use(current, count);
      count := count + 1;
    }
    i := 0;
    call Use(1 - current, i);
    while (i < count)
      invariant 0 <= i && count <= 1024 && (current == 0 || current == 1);
      invariant busy0 == (current == 1) && busy1 == (current == 0);
    {
      call Use(current, i);
      i := i + 1;
    }
    current := 1 - current;
  }
}
