"""Invariants of Boogie programs: candidates from what the program states, and models in Boogie's syntax."""

import z3

from chcverify.certificate.model import Model
from encoders.boogie.boogie_parser import parse
from encoders.boogie.implementation_encoder import EncodedImplementation, encode
from encoders.boogie.printing import printed, printed_invariants
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
    names = dict(zip(map(str, predicate.formals), predicate.names, strict=True))
    texts = {printed(condition, names) for condition in stated_invariants(system)[predicate]}
    assert texts == {"i <= n", "0 <= i", "g == (old(g))", "3 < n", "0 <= g"}


def test_models_are_printed_as_boogie_without_what_has_no_text() -> None:
    system = encoded()
    (predicate,) = system.system.predicates
    values = dict(zip(predicate.names, predicate.formals, strict=True))
    model = Model({predicate: z3.And(values["i"] <= values["n"], z3.Exists([z3.Int("k")], values["i"] == z3.Int("k")))})
    assert [invariant.text for invariant in printed_invariants(system, model)] == ["i <= n"]
