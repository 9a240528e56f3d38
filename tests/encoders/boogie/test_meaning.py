"""Programs whose names or types are easily confused: hidden variables, one name for several things, finite types."""

import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.results.checks import CheckStatus
from tests.encoders.boogie.test_boogie_programs import outcome_of_text

P, V, U = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN
PROGRAMS = {
    "an axiom makes a type finite": (
        """type T; const unique a: T; const unique b: T; axiom (forall x: T :: x == a || x == b);
        procedure p(t: T) { if (t == a) { assert false; } }""",
        [{V, U}],
    ),
    "a name that begins with a quote": (
        """var 'x: int;
        procedure p(n: int) modifies 'x; { var x: int; var i: int; x := 0; 'x := 1; i := 0;
          while (i < n) { i := i + 1; x := x; } assert i < 3; }""",
        [{V}],
    ),
    "a constant and a function of one name": (
        "const f: int; function f() returns (int); procedure p() { assert f == f(); }",
        [{V}],
    ),
    "a local that hides a global at an inlined call": (
        """var g: int; procedure {:inline 1} set() modifies g; { g := 1; }
        procedure p() modifies g; { var g: int; g := 0; call set(); assert g == 1; }""",
        [{V}],
    ),
    "old of a parameter that hides a global": (
        """var x: int; procedure c(x: int) returns (r: int); ensures r == old(x);
        procedure p() { var r: int; call r := c(5); assert r == 5; }
        procedure q(x: int) returns (r: int) ensures r == 7; { r := old(x); assert r == x; r := 7; }""",
        [{P}, {P}, {P}],
    ),
    "axioms without constants": (
        "type T; axiom (forall x: T, y: T :: x == y); procedure p(a: T, b: T) { assert a == b; }",
        [{P}],
    ),
    "a condition of the declaration for a variable of the body": (
        """procedure p() returns (a: int where a > 0);
        implementation p() returns (b: int) { assert b > 0; havoc b; assert b > 0; }""",
        [{P}, {P}],
    ),
    "an attribute that changes the checks": (
        "procedure {:selective_checking} p() { assert false; }",
        [{P}],
    ),
    "strings on one line": (
        """procedure {:a "x"} p() { assert false; } procedure {:b "y\\"z"} q() { assert true; }""",
        [{V}, {P}],
    ),
    "results of a call are assigned, whatever the condition of the variable is": (
        """procedure q() returns (r: int where r > -5); procedure p() { var x: int where x > 0; call x := q();
          assert x > -5; assert x > 0; }""",
        [{P}, {V}],
    ),
    "a free call neither checks nor assumes what is required": (
        """procedure q(x: int); requires x > 0;
        procedure p(y: int) { free call q(y); assert y > 0; }""",
        [{V}],
    ),
    "an axiom that is false": ("axiom false; procedure p(a: int) { assert a == 0; }", [{P}]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_meaning(name: str, tmp_path: Path) -> None:
    text, wanted = PROGRAMS[name]
    found = [verdict.status for verdict in outcome_of_text(tmp_path, text).checks]
    assert len(found) == len(wanted)
    assert all(status in statuses for status, statuses in zip(found, wanted, strict=True)), found


def test_a_call_changes_only_what_the_caller_may_modify(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not among what mid modifies"):
        outcome_of_text(
            tmp_path,
            """var g: int; procedure callee() modifies g; { g := 2; } procedure mid() { call callee(); }""",
        )


def test_candidates_are_not_claimed_where_only_one_procedure_is_decided(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text("""const {:existential true} b: bool;
procedure c(); ensures b ==> false;
procedure d() ensures b ==> false; { }
procedure p() { call d(); assert false; }
""")
    words = [sys.executable, "-m", "chcverify", str(path), "--entry", "p"]
    assert subprocess.run(words, capture_output=True, text=True, check=False).stdout == "false(assertion)\n"
