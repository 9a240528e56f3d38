// As houdini.bpl, but the client needs a candidate that does not hold.
const {:existential true} small: bool;
const {:existential true} positive: bool;

procedure Step(x: int) returns (y: int)
  requires 0 <= x;
  ensures positive ==> y > 0;
  ensures small ==> y < 10;
{
  y := x + 1;
}

procedure Client(n: int)
{
  var x: int;
  x := 0;
  while (x < n) {
    call x := Step(x);
    assert x < 10;
  }
}
