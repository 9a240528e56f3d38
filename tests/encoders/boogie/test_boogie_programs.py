"""Boogie programs from their text to certified verdicts."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import BoogieOptions, InputOptions, Limits, Options
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.run.procedures.procedures_run import run
from chcverify.task import resolve

PROGRAMS = Path(__file__).parents[3] / "benchmarks" / "boogie"


def outcome_of(path: Path, seconds: float = 600.0) -> Outcome:
    options = Options(InputOptions(str(path)), Limits(timeout=seconds))
    return run(resolve(options.input), options, time.monotonic(), lambda event: None)


def outcome_of_text(tmp_path: Path, text: str) -> Outcome:
    path = tmp_path / "p.bpl"
    path.write_text(text)
    return outcome_of(path)


@pytest.mark.parametrize("name", ["account", "inlined", "houdini", "mask", "search"])
def test_safe_and_faulty_twins_are_told_apart(name: str) -> None:
    safe = outcome_of(PROGRAMS / f"{name}.bpl")
    assert safe.word == "true", safe.reason
    assert all(verdict.checkers for verdict in safe.checks)
    assert outcome_of(PROGRAMS / f"{name}-unsafe.bpl").status == "unsafe"


def test_a_call_does_what_the_contract_says(tmp_path: Path) -> None:
    found = outcome_of_text(
        tmp_path,
        """
        var g: int;
        procedure P(x: int) returns (y: int);
          requires x > 0; free requires x > 5;
          modifies g;
          ensures y > x; free ensures g == old(g) + 1;
        procedure Q() modifies g;
        {
          var y: int;
          g := 3;
          call y := P(1);
          assert y > 1 && g == 4;
          assert y > 2;
          call y := P(0);
        }
        """,
    )
    assert [verdict.status for verdict in found.checks] == [
        CheckStatus.PROVED,
        CheckStatus.PROVED,
        CheckStatus.VIOLATED,
        CheckStatus.VIOLATED,
    ]


def test_what_is_not_modelled_is_unknown_with_its_name(tmp_path: Path) -> None:
    found = outcome_of_text(
        tmp_path,
        """
        type Box a; procedure P(x: Box (<a>[a]int), y: [<a>[a]int]int, m: <a>[a]int) { assert y[m] == 0; }
        procedure Q() { assert true; }
        """,
    )
    assert found.word == "unknown"
    assert "polymorphic map type" in found.checks[0].reason
    assert found.checks[1].status is CheckStatus.PROVED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("procedure P() { assert 1; }", "p.bpl:1:24: this has type int, not bool"),
        ("procedure P() { x := 1; }", "p.bpl:1:17: undeclared variable: x"),
        ("procedure P() { goto L; }", "p.bpl:1:17: goto an undeclared label: L"),
        ("procedure P() { call R(); }", "p.bpl:1:17: undeclared procedure: R"),
        ("var x: int; procedure P() { x := 1; }", "p.bpl:1:29: x is changed, and not among what P modifies"),
        (  # also where its body would stand in place of a call
            "procedure {:inline 2} P() modifies x; { call P(); }",
            "p.bpl:1:1: P modifies x, which is no variable",
        ),
        ("procedure P(;)", "p.bpl:1:13: ';' does not fit here"),
        ("procedure P() {", "p.bpl:1:15: the file ends too early"),
        ("const c: T;", "p.bpl:1:1: undeclared type: T"),
        ("procedure P() { assert \x01; }", "p.bpl:1:24: no token of Boogie begins here"),
    ],
)
def test_bad_input_ends_with_its_position(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        outcome_of_text(tmp_path, text)
    assert str(caught.value).endswith(message)


def test_the_command_takes_one_procedure_and_refuses_what_is_about_one_system(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text("procedure P() { assert true; }\nprocedure Q(x: int) { assert x > 0; }\n")

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "chcverify", str(path), *arguments]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    assert command("--entry", "P").stdout == "true\n"
    assert command("--entry", "Q").stdout == "false(assertion)\n"
    assert command("--entry", "R").returncode == 2
    assert command("--certificate", str(tmp_path / "c")).returncode == 2
    assert command("--property", "termination").returncode == 2


def statuses_of(tmp_path: Path, text: str, boogie: BoogieOptions | None = None) -> list[tuple[str, CheckStatus]]:
    """The procedure and the verdict of each check."""
    path = tmp_path / "p.bpl"
    path.write_text(text)
    options = Options(InputOptions(str(path), boogie=boogie or BoogieOptions()), Limits(timeout=600.0))
    found = run(resolve(options.input), options, time.monotonic(), lambda event: None)
    return [(verdict.check.text.partition(":")[0], verdict.status) for verdict in found.checks]


PROVED, VIOLATED, UNKNOWN = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN


def test_code_expressions_hold_if_all_their_paths_return_true(tmp_path: Path) -> None:
    text = """
        function r(int): bool;
        procedure {:inline 1} Get(x: int) returns (y: int) { y := x + 1; }
        procedure Any() { assert |{ var x: bool; A: return x; }|; }
        procedure All() { assert |{ var x: bool; A: x := true; goto B, C; B: return x; C: assume !x; return false; }|; }
        procedure Assumed(x: int, y: int)
          requires |{ var z: bool; A: z := false; goto B, C; B: assume 0 <= x; goto D; C: assume x < 0; goto R;
                      D: assume 0 <= y; z := true; goto R; R: return z; }|;
        { assert 0 <= x; assert y > 5; }
        procedure Bound(x: int)
        {
          assume (forall t: int :: |{ A: goto X, Y; X: assume x < t; return r(t); Y: assume !(x < t); return true; }|);
          assert r(x + 1);
          assert r(x);
        }
        procedure Called(x: int)
        {
          assert |{ var y: int; A: call y := Get(x); return x < y; }|;
          assert |{ var y: int; A: y := 3; havoc y; return y == 3; }|;
        }
        procedure Looping() { assert |{ A: goto A, B; B: return true; }|; }
        """
    assert statuses_of(tmp_path, text) == [
        ("Any", VIOLATED),
        ("All", PROVED),
        ("Assumed", PROVED),
        ("Assumed", VIOLATED),
        ("Bound", PROVED),
        ("Bound", VIOLATED),
        ("Called", PROVED),
        ("Called", VIOLATED),
        ("Looping", UNKNOWN),
    ]


def test_a_code_expression_keeps_its_own_names_in_an_inlined_body(tmp_path: Path) -> None:
    text = """
        procedure {:inline 1} Get(x: int) returns (y: int) { y := x + 1; }
        procedure {:inline 1} Both(x: int) returns (b: bool)
        { var y: int; y := x; b := |{ var x: int; A: x := y; call x := Get(x); B: return x == y + 1; }|;
          return; }
        procedure P() { var y: int; var b: bool; y := 7; call b := Both(4); assert b; assert y == 8; }
        """
    found = statuses_of(tmp_path, text)
    assert [status for name, status in found if name == "P"] == [PROVED, VIOLATED]


@pytest.mark.parametrize("code", ["return x;", "A: return;", "A: x := true;", "goto B; A: return x; B: assume x;"])
def test_code_expressions_that_return_nothing_are_no_boogie(tmp_path: Path, code: str) -> None:
    text = f"procedure P() {{ assert |{{ var x: bool; {code} }}|; }}"
    if code == "return x;":
        assert statuses_of(tmp_path, text) == [("P", VIOLATED)]
        return
    with pytest.raises(InputError, match="code expression"):
        statuses_of(tmp_path, text)


def test_conditions_that_are_always_assumed_are_where_they_stand(tmp_path: Path) -> None:
    text = """
        procedure Late() requires false; free requires {:always_assume} false; { }
        procedure Early() free requires {:always_assume} false; requires false; { }
        procedure CallsLate() { call Late(); }
        procedure CallsEarly() { call Early(); assert false; }
        procedure EnsuresLate() ensures false; free ensures {:always_assume} false; { }
        procedure EnsuresEarly() free ensures {:always_assume} false; ensures false; { }
        """
    assert dict(statuses_of(tmp_path, text)) == {
        "CallsLate": VIOLATED,
        "CallsEarly": PROVED,
        "EnsuresLate": VIOLATED,
        "EnsuresEarly": PROVED,
    }


def test_selective_checking_assumes_until_checking_begins(tmp_path: Path) -> None:
    text = """
        procedure {:selective_checking} Begun(x: int, y: int, z: int)
        { assert x < y; assert y < z; assume {:start_checking_here} true; assert x < z; assert x > 0; }
        procedure {:selective_checking} Perhaps(x: int, z: int)
        { if (*) { assume {:start_checking_here} true; } assert x < z; }
        procedure {:selective_checking} Never(x: int) ensures false; { assert x > 0; }
        procedure {:selective_checking} InLoop(n: int)
        {
          var i: int;
          i := 0;
          while (i < n) { assert i < 3; if (i == 2) { assume {:start_checking_here} true; } i := i + 1; }
        }
        """
    assert statuses_of(tmp_path, text) == [
        ("Begun", PROVED),
        ("Begun", PROVED),
        ("Begun", PROVED),
        ("Begun", VIOLATED),
        ("Perhaps", VIOLATED),
        ("Never", PROVED),
        ("Never", PROVED),
        ("InLoop", VIOLATED),
    ]


def test_modifies_clauses_are_inferred_through_calls(tmp_path: Path) -> None:
    text = """
        var x: int; var y: int;
        procedure A() requires x == 0 && y == 0; { call B(); assert y == 0; assert x == 0; }
        procedure B() { if (*) { x := x + 1; } else { call C(); } }
        procedure C() { var y: int; y := 1; if (*) { call B(); } }
        """
    with pytest.raises(InputError, match="not among what B modifies"):
        statuses_of(tmp_path, text)
    found = statuses_of(tmp_path, text, BoogieOptions(infer_modifies=True))
    assert found == [("A", PROVED), ("A", VIOLATED)]


def test_procedures_are_inlined_to_the_depth_that_is_asked_for(tmp_path: Path) -> None:
    text = """
        procedure Inc(x: int) returns (y: int) { y := x + 1; }
        procedure Twice(x: int) returns (y: int) { call y := Inc(x); call y := Inc(y); }
        procedure P() { var y: int; call y := Twice(1); assert y == 3; }
        """
    assert statuses_of(tmp_path, text) == [("P", VIOLATED)]
    assert statuses_of(tmp_path, text, BoogieOptions(inline_depth=1)) == [("P", PROVED)]


def test_an_inlined_body_is_checked_where_it_stands_and_by_itself_where_its_contract_is_used(tmp_path: Path) -> None:
    text = """
        procedure {:inline 1} Half(x: int) { assert x > 0; }
        procedure {:inline 1} Down(x: int) { assert x >= 3; if (x > 4) { call Down(x - 1); } }
        procedure Once() { call Half(1); }
        procedure Often() { call Down(4); call Down(9); }
        """
    assert statuses_of(tmp_path, text) == [("Down", VIOLATED), ("Once", PROVED), ("Often", PROVED)]


def test_what_a_loop_does_not_change_still_holds_in_it(tmp_path: Path) -> None:
    text = """
        var a: [int]int;
        procedure Fill(n: int, v: int) modifies a;
          ensures (forall k: int :: 0 <= k && k < n ==> a[k] == old(a)[0]);
        {
          var i, j, first: int;
          first := a[0];
          i := 0;
          while (i < n)
            invariant 0 <= i;
            invariant (forall k: int :: 0 <= k && k < i ==> a[k] == first);
          {
            j := 0;
            while (j < v) { j := j + 1; }
            a[i] := first;
            i := i + 1;
          }
        }
        """
    found = outcome_of_text(tmp_path, text)
    assert found.word == "true"
    assert {verdict.engine for verdict in found.checks} == {"stated invariants"}


def test_a_run_that_leaves_a_where_condition_at_a_loop_head_is_no_violation(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text(
        """
        procedure Left() returns (w: int where w == x, x: int) { while (*) { assert w == x; w := w + 1; } }
        procedure Kept() returns (w: int where w >= 0) { w := 0; while (*) { w := w + 1; assert w != 2; } }
        """
    )
    found = outcome_of(path, seconds=60.0)
    assert found.checks[0].status is CheckStatus.UNKNOWN
    assert "where condition" in found.checks[0].reason or "time" in found.checks[0].reason
    assert outcome_of_text(tmp_path, path.read_text().split("\n")[2]).word == "false(assertion)"


def test_axioms_that_contradict_each_other_leave_no_violation(tmp_path: Path) -> None:
    text = "const c: int; const d: int; axiom c > d; axiom {} > c; procedure P(x: int) {{ assert x > 0; }}"
    assert statuses_of(tmp_path, text.format("d + 2")) == [("P", VIOLATED)]
    assert statuses_of(tmp_path, text.format("d - 2") + " axiom c + 5 < d;") == [("P", UNKNOWN)]


@pytest.mark.parametrize("name", ["swap3", "locking", "phases"])
def test_pairs_need_no_invariants(name: str) -> None:
    def verdict(file: str) -> str:
        options = InputOptions(str(PROGRAMS / file), boogie=BoogieOptions(ignore_invariants=True))
        found = run(resolve(options), Options(options, Limits(timeout=600.0)), time.monotonic(), lambda event: None)
        return found.word.partition("(")[0]

    assert (verdict(f"{name}.bpl"), verdict(f"{name}-unsafe.bpl")) == ("true", "false")


def test_invariants_are_left_out_on_request_but_for_those_that_are_free(tmp_path: Path) -> None:
    text = """
        procedure P(n: int)
        {
          var i: int;
          i := 0;
          while (i < 10)
            invariant i < 5;
            free invariant i != 10;
          { i := i + 1; }
          assert i == 10;
        }
        """
    assert statuses_of(tmp_path, text) == [("P", VIOLATED), ("P", PROVED)]
    assert statuses_of(tmp_path, text, BoogieOptions(ignore_invariants=True)) == [("P", PROVED)]


def test_types_without_terms_are_unknown_by_name(tmp_path: Path) -> None:
    found = outcome_of_text(tmp_path, "procedure P(x: float24e8) { assert x == x; }")
    assert found.word == "unknown" and "the type float24e8" in found.checks[0].reason


def test_a_candidate_that_fails_is_turned_off_where_others_use_it(tmp_path: Path) -> None:
    text = """
        const {:existential true} b: bool; const {:existential true} c: bool;
        procedure First() returns (r: int) ensures b ==> r == 1; ensures c ==> r > 0; { call r := Second(); }
        procedure Second() returns (r: int) ensures b ==> r == 1; ensures c ==> r > 0; { r := 2; }
        procedure Apart() { assert 1 < 2; }
        procedure User() { var r: int; call r := First(); assert r > 0; assert r == 1; }
        """
    found = statuses_of(tmp_path, text)
    assert [status for name, status in found if name == "User"] == [PROVED, VIOLATED]
    assert all(status is PROVED for name, status in found if name != "User")
