// A function that calls itself: its body is an axiom. The call of the procedure is by contract.
function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }

procedure Factorial(n: int) returns (r: int)
  requires 0 <= n;
  ensures r == fact(n);
{
  if (n == 0) {
    r := 1;
  } else {
    call r := Factorial(n - 1);
    r := n * r;
  }
}
