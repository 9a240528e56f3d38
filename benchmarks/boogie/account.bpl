// Accounts in a map: a transfer moves money and makes none.
type Account;
var balance: [Account]int;

procedure Transfer(from: Account, to: Account, amount: int)
  requires 0 <= amount && amount <= balance[from];
  requires from != to;
  modifies balance;
  ensures balance[from] + balance[to] == old(balance[from]) + old(balance[to]);
  ensures (forall a: Account :: a != from && a != to ==> balance[a] == old(balance)[a]);
  ensures 0 <= balance[from];
{
  balance[from] := balance[from] - amount;
  balance[to] := balance[to] + amount;
}

procedure Client(a: Account, b: Account)
  requires a != b && balance[a] == 10 && balance[b] == 0;
  modifies balance;
{
  call Transfer(a, b, 4);
  assert balance[a] + balance[b] == 10;
}
