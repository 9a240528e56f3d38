"""Invariants of Boogie programs: candidates from what the program states, and models in Boogie's syntax."""

import z3

from chcverify.certificate.model import Model
from encoders.boogie import syntax as s
from encoders.boogie.boogie_parser import parse
from encoders.boogie.encoded_bodies import EncodedImplementation
from encoders.boogie.implementation_encoder import encode
from encoders.boogie.printing import PrintedName, printed, printed_invariants
from encoders.boogie.resolved_declarations import declarations_of
from encoders.boogie.stated_invariants import stated_invariants

PROGRAM = """
var g: int where g >= 0;
procedure P(n: int)
  requires n > 3;
{
  var i: int;
  i := 0;
  while (i < n) invariant i <= n; free invariant i >= 0; { i := i + 1; }
  assert g >= 0;
}
"""


def encoded() -> EncodedImplementation:
    declarations = declarations_of(parse(PROGRAM, "p.bpl"))
    return encode(declarations, declarations.implementations[0])


def test_stated_conditions_are_candidates_over_the_formals() -> None:
    system = encoded()
    (predicate,) = system.system.predicates
    formals = zip(map(str, predicate.formals), predicate.names, strict=True)
    names = {formal: PrintedName(name, s.INT) for formal, name in formals}
    texts = {printed(condition, names) for condition in stated_invariants(system)[predicate]}
    assert texts == {"i <= n", "0 <= i", "g == (old(g))", "3 < n", "0 <= g"}
    further = {printed(condition, names) for condition in stated_invariants(system, with_elsewhere=True)[predicate]}
    assert further - texts >= {"i < n", "i >= n", "0 == i"}


def test_models_are_printed_as_boogie_without_what_has_no_text() -> None:
    system = encoded()
    (predicate,) = system.system.predicates
    values = dict(zip(predicate.names, predicate.formals, strict=True))
    bits = z3.BitVec("bits", 8)
    model = Model({predicate: z3.And(values["i"] <= values["n"], z3.Exists([bits], z3.BV2Int(bits) == values["i"]))})
    assert [invariant.text for invariant in printed_invariants(system, model)] == ["i <= n"]


def test_what_is_printed_can_be_read_at_the_loop_head() -> None:
    program = """
        function f(x: int, y: int): int; const c: int; var m: [int,int][bool]int; var h: int;
        procedure P(n: int) {
          var i, h: int;
          i, h := 0, 0;
          while (f(i, n) < m[i, c][true]) { i := i + 1; }
          assert f(i, n) >= m[i, c][true] && i + h >= 0;
        }
        """
    declarations = declarations_of(parse(program, "p.bpl"))
    system = encode(declarations, declarations.implementations[0])
    (predicate,) = system.system.predicates
    values = dict(zip(predicate.names, predicate.formals, strict=True))
    hidden = [formal for name, formal in zip(predicate.names, predicate.formals, strict=True) if name == "old(h)"]
    f, m, k = values["f"], values["m"], z3.Int("k")
    model = Model(
        {
            predicate: z3.And(
                f[values["n"]][values["i"]] < values["c"],
                m[values["c"]][values["i"]][z3.BoolVal(True)] != -1,
                z3.ForAll([k], f[k][k] >= k),
                *(formal == 0 for formal in hidden),
            )
        }
    )
    assert [invariant.text for invariant in printed_invariants(system, model)] == [
        "(f(n, i)) < c",
        "(m[c, i][true]) != (-1)",
        "(forall k#7: int :: (f(k#7, k#7)) >= (k#7))",
    ]
