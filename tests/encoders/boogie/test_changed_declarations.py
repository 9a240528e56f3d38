"""Programs as options change them."""

from encoders.boogie import syntax as s
from encoders.boogie.boogie_parser import parse
from encoders.boogie.changed_declarations import with_inferred_modifies, without_invariants
from encoders.boogie.resolved_declarations import declarations_of

PROGRAM = """
var a: int; var b: int; var c: int;
procedure Out(); modifies c;
procedure {:inline 3} P() { var b: int; b := 1; call Q(); }
procedure Q() { if (*) { havoc a; } while (*) invariant a > 0; free invariant b > 0; { call P(); call Out(); } }
"""
DECLARATIONS = declarations_of(parse(PROGRAM, "p.bpl"))


def test_what_is_modified_is_what_bodies_and_callees_assign() -> None:
    found = with_inferred_modifies(DECLARATIONS)
    modifies = {name: procedure.contract.modifies for name, procedure in found.procedures.items()}
    assert modifies == {"Out": ("c",), "P": ("a", "c"), "Q": ("a", "c")}
    assert [item.procedure.contract.modifies for item in found.implementations] == [("a", "c"), ("a", "c")]


def test_only_free_invariants_stay() -> None:
    loop = without_invariants(DECLARATIONS).implementations[1].body.statements[1]
    assert isinstance(loop, s.WhileStatement)
    assert [invariant.is_free for invariant in loop.invariants] == [True]
