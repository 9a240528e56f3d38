// Candidates for a contract and an invariant: those that do not hold are given up.
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
    assert x > 0;
  }
}
