// Three different values rotate; two of them never become equal.
procedure Main()
{
  var a, b, c: int;
  a, b, c := 1, 2, 3;
  while (*)
    invariant a != b && b != c && c != a;
  {
    assert a != b;
    a, b, c := b, c, a;
  }
}
