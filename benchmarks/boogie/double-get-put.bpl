// Two buffers for input and two for output, which change places together.
// For each buffer of 1024 elements: whether a transfer from or to the main memory is under way.
var busy0, busy1, busy2, busy3: bool;

procedure {:inline 1} Start(buffer: int)
  modifies busy0, busy1, busy2, busy3;
{
  assert !(if buffer == 0 then busy0 else if buffer == 1 then busy1 else if buffer == 2 then busy2 else busy3);
  if (buffer == 0) {
    busy0 := true;
  } else if (buffer == 1) {
    busy1 := true;
  } else if (buffer == 2) {
    busy2 := true;
  } else {
    busy3 := true;
  }
}

procedure {:inline 1} Await(buffer: int)
  modifies busy0, busy1, busy2, busy3;
{
  assert (if buffer == 0 then busy0 else if buffer == 1 then busy1 else if buffer == 2 then busy2 else busy3);
  if (buffer == 0) {
    busy0 := false;
  } else if (buffer == 1) {
    busy1 := false;
  } else if (buffer == 2) {
    busy2 := false;
  } else {
    busy3 := false;
  }
}

procedure {:inline 1} Use(buffer: int, index: int)
{
  assert !(if buffer == 0 then busy0 else if buffer == 1 then busy1 else if buffer == 2 then busy2 else busy3) && index < 1024;
}

procedure ReadLength() returns (length: int);
  ensures 0 <= length && length <= 1024;

procedure Main()
  modifies busy0, busy1, busy2, busy3;
{
  var input, output, length, i: int;

  busy0, busy1, busy2, busy3 := false, false, false, false;
  input, output := 0, 2;
  call Start(0);
  call Start(3);
  while (*)
    invariant (input == 0 || input == 1) && (output == 2 || output == 3);
    invariant busy0 == (input == 0) && busy1 == (input == 1) && busy2 == (output == 3) && busy3 == (output == 2);
  {
    call length := ReadLength();
    call Start(1 - input);
    call Await(input);
    i := 0;
    while (i < length)
      invariant 0 <= i && length <= 1024 && (input == 0 || input == 1) && (output == 2 || output == 3);
      invariant busy0 == (input == 1) && busy1 == (input == 0) && busy2 == (output == 3) && busy3 == (output == 2);
    {
      call Use(input, i);
      call Use(output, i);
      i := i + 1;
    }
    call Start(output);
    input := 1 - input;
    output := 5 - output;
    call Await(output);
  }
}
