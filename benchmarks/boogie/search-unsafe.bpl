// As search.bpl, but the first element is left out.
procedure Search(a: [int]int, n: int, key: int) returns (at: int)
  requires 1 <= n;
  ensures -1 <= at && at < n;
  ensures at >= 0 ==> a[at] == key;
  ensures at == -1 ==> (forall k: int :: 0 <= k && k < n ==> a[k] != key);
{
  at := 1;
  while (at < n)
    invariant 0 <= at && at <= n;
    invariant (forall k: int :: 0 <= k && k < at ==> a[k] != key);
  {
    if (a[at] == key) {
      return;
    }
    at := at + 1;
  }
  at := -1;
}
