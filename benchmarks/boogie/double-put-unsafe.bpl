// As double-put.bpl, but no transfer is awaited before the buffer is filled again.
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
  var current, length, i: int;

  busy0, busy1 := false, false;
  current := 0;
  call Start(1);
  while (*)
    invariant current == 0 || current == 1;
    invariant busy0 == (current == 1) && busy1 == (current == 0);
  {
    call length := ReadLength();
    i := 0;
    while (i < length)
      invariant 0 <= i && length <= 1024 && (current == 0 || current == 1);
      invariant busy0 == (current == 1) && busy1 == (current == 0);
    {
      call Use(current, i);
      i := i + 1;
    }
    call Start(current);
    current := 1 - current;
  }
}
