"""Polymorphic maps, functions and procedures; quantifiers over types: no proof by one type of what others violate."""

from pathlib import Path

import pytest

from chcverify.horn.origin import Origin
from chcverify.results.checks import CheckStatus
from encoders.boogie import syntax as s
from encoders.boogie.expressions.type_universe import (
    REST,
    NotExact,
    TypeUniverse,
    UniverseChanged,
    translated_with_universe,
)
from tests.encoders.boogie.test_boogie_programs import outcome_of

P, V, U = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN
LIMIT_S = 20.0
"""What is not decided within a second or two is not decided at all."""
ORIGIN = Origin("p.bpl", 1, 1)

HEAP = """
type ref; type Field a; const null: ref; const unique f: Field int; const unique g: Field bool;
const unique h: Field int; var H: <a>[ref, Field a]a;
"""
FRAME = "(forall<a> o: ref, k: Field a :: H[o, k] == old(H)[o, k] || (o == null && k == f))"
INJECTIVE = """
function number<T>(x: T): int; axiom (forall<T> x: T, y: T :: number(x) == number(y) ==> x == y);
"""
BOX = "type Box; function box<T>(x: T): Box; function unbox<T>(b: Box): T;\n" + (
    "axiom (forall<T> x: T :: { box(x) } unbox(box(x)) == x);\n"
)
PROGRAMS = {
    "elements of different types": (
        HEAP + "procedure p() modifies H; { H[null, f] := 3; H[null, g] := true; assert H[null, f] == 3; }",
        [{P}],
    ),
    "elements of one type": (
        HEAP + "procedure p(k: Field int) modifies H; { H[null, f] := 3; H[null, k] := 4; assert H[null, f] == 3; }",
        [{V}],
    ),
    "unique constants of one type": (
        HEAP + "procedure p() modifies H; { H[null, f] := 3; H[null, h] := 4; assert H[null, f] == 3; }",
        [{P}],
    ),
    "a frame that is kept": (HEAP + f"procedure p() modifies H; ensures {FRAME}; {{ H[null, f] := 3; }}", [{P}]),
    "a frame that a value of another type breaks": (
        HEAP + f"procedure p() modifies H; ensures {FRAME}; {{ H[null, g] := true; }}",
        [{V, U}],
    ),
    "a frame that nobody keeps": (
        HEAP + f"procedure p() modifies H; ensures {FRAME}; {{ havoc H; }}",
        [{V, U}],
    ),
    "a frame at calls": (
        HEAP
        + f"procedure c(); modifies H; ensures {FRAME};"
        + "procedure p() modifies H; { H[null, g] := true; call c(); assert H[null, g]; }"
        + "procedure q() modifies H; { H[null, f] := 7; call c(); assert H[null, f] == 7; }",
        [{P}, {V, U}],
    ),
    "elements of a type that may be any": (  # T may be int and k may be f
        HEAP
        + """procedure p<T>(o: ref, k: Field T, v: T) modifies H;
        { var x: int; x := H[o, f]; H[o, k] := v; assert H[o, f] == x; }""",
        [{V, U}],
    ),
    "maps that are equal everywhere": (
        HEAP + "procedure p(m: <b>[ref, Field b]b) modifies H; ensures H == m; { H := m; H[null, f] := H[null, f]; }",
        [{P}],
    ),
    "maps that are equal at the listed types alone": (
        HEAP
        + """procedure p(m: <b>[ref, Field b]b, n: <b>[ref, Field b]b)
        { assume (forall o: ref, k: Field int :: m[o, k] == n[o, k]); assert m == n; }""",
        [{V, U}],
    ),
    "heaps as maps of maps": (
        """type ref; type Field a; var H: [ref]<a>[Field a]a;
        procedure p(o: ref, f: Field int, g: Field bool) modifies H;
        { H[o][f] := 3; H[o][g] := true; assert H[o][f] == 3; assert H[o][f] == 4; }""",
        [{P}, {V}],
    ),
    "two type parameters": (
        """procedure p(m: <a, b>[a, b]int)
        { var n: <c, d>[c, d]int; n := m[1, true := 2]; assert n[1, true] == 2; assert n[true, 1] == m[true, 1];
          assert n[1, false] == 2; }""",
        [{P}, {P}, {V}],
    ),
    "a loop that changes elements": (
        HEAP
        + """procedure p(n: int) modifies H;
        { var i: int; H[null, f] := 0; H[null, g] := true; i := 0;
          while (i < n) { H[null, f] := H[null, f] + 1; i := i + 1; }
          assert H[null, g]; assert H[null, f] >= 0; }""",
        [{P}, {P}],
    ),
    "an axiom for all types": (
        INJECTIVE
        + """procedure p(a: int, b: int) { assert number(a) == number(b) ==> a == b; }
        procedure q(a: bool, b: int) { assert number(a) != number(b); }""",
        [{P}, {V, U}],
    ),
    "what holds for all types": (
        INJECTIVE
        + """procedure p() { assert (forall<T> x: T, y: T :: number(x) == number(y) ==> x == y); }
        procedure q() { assert (forall<T> x: T, y: T :: x == y); }
        procedure r<T>(x: T, y: T) { assert number(x) == number(y) ==> x == y; }
        procedure t<T>(x: T, y: T) { assert x == y; }""",
        [{P}, {V, U}, {P}, {V, U}],
    ),
    "boxes": (
        BOX
        + """procedure p(x: int, y: int) { assert box(x) == box(y) ==> x == y; }
        procedure q(x: int, y: bool) { assert box(x) != box(y); }""",
        [{P}, {V, U}],
    ),
    "types that exist": (  # in an assumption a witness may be any type, a new one at each time
        """procedure p() { assume (exists<T> x: T, y: T :: x != y); assert false; }
        procedure q(m: <a>[a]int) { assert (exists<a> x: a :: m[x] == m[3]); assert (exists<a> x: a :: m[x] == 0); }""",
        [{U}, {P}, {V, U}],
    ),
    "quantifiers over types in conditions": (
        """procedure p(m: <a>[a]int)
        { if ((forall<a> x: a :: m[x] == 0)) { assert m[true] == 0; } else { assert false; } }""",
        [{V, U}, {P}],
    ),
    "a quantifier over types on both sides": (
        """procedure p(m: <a>[a]int, n: <a>[a]int)
        { assume (forall<a> x: a :: m[x] == 0) ==> (forall<a> x: a :: n[x] == 0);
          assume (forall<a> x: a :: m[x] == 0);
          assert n[7] == 0; assert m[7] == n[true]; assert m == n; assert m[7] == 1; }""",
        [{P}, {P}, {P, U}, {V, U}],
    ),
    "results of polymorphic procedures": (
        """procedure c<T>(x: T, y: T) returns (z: T) ensures z == x || z == y; { if (*) { z := x; } else { z := y; } }
        procedure p() { var a: int; call a := c(3, 4); assert a == 3 || a == 4; assert a == 3; }
        procedure q(b: bool) { var d: bool; call d := c(b, b); assert d == b; }""",
        [{P}, {P}, {V}, {P}],
    ),
    "comparison with a type that may be any": (
        "procedure p<T>(x: T) { assert x != 5; }  procedure q<S, T>(x: S, y: T) { assert x != y; }",
        [{U}, {U}],
    ),
    "a type parameter that hides a type": (
        """type T; const t: T; procedure {:inline 1} c() { assert (forall x: T :: x == t); }
        procedure p<T>(y: T) { assume (forall x: T :: x == y); call c(); }""",
        [{U}],
    ),
    "a polymorphic map by lambda": (
        """procedure p() { var m: <a>[a]bool; m := (lambda<a> x: a :: x == 3);
        assert m[3]; assert !m[4]; assert !m[true]; assert m[4]; }""",
        [{P}, {P}, {P}, {V}],
    ),
    "what the context says of a type": (
        """var m: <a>[]a; procedure p() modifies m; { m[] := 12; m[] := true; assert m[] == 12; assert m[]; }
        procedure q() { assert m[] < 3; }""",
        [{P}, {P}, {V}],
    ),
    "a value that would have to be the same for all types": (
        "function f<a>(y: a): int; axiom (forall<a> y: a, z: a :: f(y) == f(z));"
        "procedure p() { assert (exists x: int :: (forall<a> y: a, z: a :: f(y) == x && f(z) == x)); }",
        [{V, U}],
    ),
    "a condition for all types that is used twice": (
        "function h<a>(x: int, y: a): bool; axiom (forall<a> y: a, z: a :: h(1, y) || h(2, z));"
        "function F(x: int): bool { (forall<a> y: a, z: a :: h(x, y) && h(x, z)) }"
        "procedure p() { assert F(1) || F(2); }",
        [{V, U}],
    ),
    "types that are the same for one type of each side": (
        "type C a b; procedure p() { assert (forall<a, b> x: C int a, y: C b int :: x != y); }",
        [{V, U}],
    ),
    "maps of types that are the same for one type of each side": (
        "procedure p() { assert (forall<a, b> x: [int]a, y: [b]int :: x != y); }",
        [{V, U}],
    ),
    "some type that may be the procedure's": (
        "function g<a>(y: a): bool; procedure p<T>(t: T) requires g(t); { assert (exists<a> y: a :: g(y)); }",
        [{P, U}],
    ),
    "a condition for all types that is stored": (
        "function g<a>(y: a): bool;"
        "procedure p<T>(t: T) { var b: bool; b := (forall<a> y: a :: g(y)); assert b ==> g(t); }",
        [{P, U}],
    ),
    "not for all types, where not for the procedure's": (
        "function g<a>(y: a): bool; procedure p<T>(t: T) requires !g(t); { assert !(forall<a> y: a :: g(y)); }",
        [{P, U}],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_polymorphism(name: str, tmp_path: Path) -> None:
    text, wanted = PROGRAMS[name]
    path = tmp_path / "p.bpl"
    path.write_text(text)
    verdicts = outcome_of(path, LIMIT_S).checks
    assert len(verdicts) == len(wanted), verdicts
    pairs = zip(verdicts, wanted, strict=True)
    assert all(verdict.status in statuses for verdict, statuses in pairs), [(v.status, v.reason) for v in verdicts]


def test_universes_grow_by_what_is_used() -> None:
    def needed(universe: TypeUniverse) -> tuple[s.Type, ...]:
        universe.require(s.INT, ORIGIN)
        universe.require(REST, ORIGIN)
        universe.suggest(s.BOOL, ORIGIN)  # only where there are quantifiers over types
        return universe.listed

    assert translated_with_universe(TypeUniverse(), needed) == (s.INT,)


def test_types_of_the_rest_cannot_be_listed() -> None:
    with pytest.raises(NotExact):
        TypeUniverse().require(s.NamedType("Field", (REST,)), ORIGIN)
    with pytest.raises(UniverseChanged):
        TypeUniverse().require(s.NamedType("Field", (s.INT,)), ORIGIN)
