// Output through three buffers: a transfer is awaited two rounds after it was begun.
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
  assert 0 <= buffer && buffer <= 2 && (if buffer == 0 then busy0 else if buffer == 1 then busy1 else busy2);
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
  var current, length, i: int;

  busy0, busy1, busy2 := false, false, false;
  current := 0;
  call Start(1);
  call Start(2);
  while (*)
    invariant 0 <= current && current <= 2;
    invariant busy0 == (current != 0) && busy1 == (current != 1) && busy2 == (current != 2);
  {
    call length := ReadLength();
    i := 0;
    while (i < length)
      invariant 0 <= i && length <= 1024 && 0 <= current && current <= 2;
      invariant busy0 == (current != 0) && busy1 == (current != 1) && busy2 == (current != 2);
    {
      call Use(current, i);
      i := i + 1;
    }
    call Start(current);
    current := (if current == 2 then 0 else current + 1);
    call Await(current);
  }
}
