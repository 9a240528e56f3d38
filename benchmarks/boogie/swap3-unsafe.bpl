// As swap3, but the first and the last value are equal.
procedure Main()
{
  var a, b, c: int;
  a, b, c := 1, 2, 1;
  while (*)
    invariant a != b && b != c && c != a;
  {
    assert a != b;
    a, b, c := b, c, a;
  }
}
