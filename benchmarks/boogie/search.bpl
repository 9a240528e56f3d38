// Linear search: what was looked at is not the key. The invariant about all elements is given.
procedure Search(a: [int]int, n: int, key: int) returns (at: int)
  requires 0 <= n;
  ensures -1 <= at && at < n;
  ensures at >= 0 ==> a[at] == key;
  ensures at == -1 ==> (forall k: int :: 0 <= k && k < n ==> a[k] != key);
{
  at := 0;
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
