"""`--calls summary`: pairs of programs without contracts, of which calls do what the bodies do."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.options import BoogieOptions, InputOptions, Limits, Options
from chcverify.run.procedures.procedures_run import run
from chcverify.task import resolve
from tests.encoders.boogie.test_boogie_programs import PROVED, UNKNOWN, VIOLATED, statuses_of

SUMMARIES = BoogieOptions(summaries=True)

PAIRS = {
    "recursion": (
        """procedure Main(n: int) { var s: int; call s := Sum(n); assert s BOUND n; }
        procedure Sum(n: int) returns (s: int)
        { if (n <= 0) { s := 0; } else { call s := Sum(n - 1); s := s + n; } }""",
        ("BOUND", ">=", ">"),
    ),
    "two results, one of them a global": (
        """var g: int;
        procedure Main(x: int) modifies g;
        { var a: int; g := x; call a, g := Swapped(1, 2); assert a == 2 && g == VALUE; }
        procedure Swapped(x: int, y: int) returns (p: int, q: int) { p := y; q := x; }""",
        ("VALUE", "1", "2"),
    ),
    "a result in place of a global that the call changes": (
        """var g: int;
        procedure Main() modifies g; { g := 0; call g := Next(); assert g == VALUE; }
        procedure Next() returns (r: int) modifies g; { g := g + 5; r := g - 4; }""",
        ("VALUE", "1", "5"),
    ),
    "old is the beginning of the call": (
        """var g: int;
        procedure Main() modifies g; { g := 3; call Add(); call Add(); assert g == 7; }
        procedure Add() modifies g; ensures g == old(g) + STEP; { g := g + 1; g := old(g) + 2; }""",
        ("STEP", "2", "1"),
    ),
    "what a procedure does not modify stays": (
        """var g, h: int;
        procedure Main() modifies g, h; { g := 1; h := 2; call Only(); assert WHICH; }
        procedure Only() modifies g; { havoc g; }""",
        ("WHICH", "h == 2", "g == 1"),
    ),
    "a loop in a callee and a call in a loop": (
        """procedure Main(n: int)
        { var i, s: int; i := 0; s := 0; while (i < n) { call s := Up(s); i := i + 1; } assert s >= 0 && s <= MOST; }
        procedure Up(x: int) returns (y: int) { y := x; while (y < 10) { y := y + 1; } }""",
        ("MOST", "10", "9"),
    ),
    "procedures that call each other": (
        """procedure Main(n: int) { var e: bool; assume n >= 0; call e := Even(2 * n); assert RESULT; }
        procedure Even(n: int) returns (e: bool) { if (n == 0) { e := true; } else { call e := Odd(n - 1); } }
        procedure Odd(n: int) returns (o: bool) { if (n == 0) { o := false; } else { call o := Even(n - 1); } }""",
        ("RESULT", "e || n > 0", "!e || n > 2"),
    ),
    "an assertion in the callee, for the calls that there are": (
        """procedure Main(x: int) { call Half(LEAST); call Half(1); }
        procedure Half(x: int) { assert x > 0; }""",
        ("LEAST", "2", "x"),
    ),
    "what the callee requires": (
        """procedure Main(x: int) { if (x > LEAST) { call Half(x); } }
        procedure Half(x: int) requires x > 5; { assert x > 4; }""",
        ("LEAST", "5", "4"),
    ),
    "maps": (
        """var m: [int]int;
        procedure Main(i: int) modifies m; { m[i] := 0; call Set(i + OFFSET, 7); assert m[i] == 0; }
        procedure Set(i: int, v: int) modifies m; { m[i] := v; }""",
        ("OFFSET", "1", "0"),
    ),
    "any values of locals, in each call others": (
        """procedure Main() { var a, b: int; call a := Any(); call b := Any(); assert a >= 0 && b >= 0 OTHER; }
        procedure Any() returns (r: int where r >= 0) { }""",
        ("OTHER", "", "&& a == b"),
    ),
    "a local with the name of a global": (
        """var g: int;
        procedure Main() modifies g; { var x: int; g := 1; call x := Own(5); assert g == 1 && x == VALUE; }
        procedure Own(g: int) returns (r: int) { r := g; }""",
        ("VALUE", "5", "1"),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_safe_and_faulty_twins_are_told_apart(tmp_path: Path, name: str) -> None:
    text, (place, right, wrong) = PAIRS[name]
    found = [status for _, status in statuses_of(tmp_path, text.replace(place, right), SUMMARIES)]
    assert set(found) == {PROVED}
    found = [status for _, status in statuses_of(tmp_path, text.replace(place, wrong), SUMMARIES)]
    assert VIOLATED in found and UNKNOWN not in found


MEANINGS = {
    "code behind a call that never returns": (
        "procedure Main() { call Forever(1); assert false; } procedure Forever(n: int) { call Forever(n + 1); }",
        [("Main", PROVED)],
    ),
    "a call that may not return": (
        """procedure Main(n: int) { call Down(n); assert n >= 0; }
        procedure Down(n: int) { if (n != 0) { call Down(n - 1); } }""",
        [("Main", PROVED)],
    ),
    "free conditions of the callee": (
        """procedure Main(x: int) { var r: int; call r := F(x); assert r == 1; }
        procedure F(x: int where x > 3) returns (r: int) free requires x > 2; free ensures r == 1; { assert x > 1; }""",
        [("Main", VIOLATED), ("F", VIOLATED)],
    ),
    "free conditions of what is decided by itself": (
        "procedure Main(x: int) free requires x > 2; { assert x > 1; }",
        [("Main", PROVED)],
    ),
    "the first violation ends the run": (
        "procedure Main(x: int) { call F(x); assert x > 0; } procedure F(x: int) ensures x > 0; { assert x > 0; }",
        [("Main", PROVED), ("F", VIOLATED), ("F", PROVED)],
    ),
    "a check is violated if it is for one caller": (
        """procedure One() { call F(1); } procedure Two() { call F(2); } procedure Three() { call F(1); }
        procedure F(x: int) { assert x == 1; assert x > 0; }""",
        [("F", VIOLATED), ("F", PROVED)],
    ),
    "by contract: no body, several bodies, free calls": (
        """procedure Main() { var a: int; call a := None(); assert a > 0; call a := Two(); assert a > 0;
          free call a := Free(0); assert a == 5; }
        procedure None() returns (r: int); ensures r > 0;
        procedure Two() returns (r: int); ensures r > 0;
        implementation Two() returns (r: int) { r := 1; }
        implementation Two() returns (r: int) { r := 0; }
        procedure Free(x: int) returns (r: int) requires x > 0; ensures r == 5; { r := 5; }""",
        [("Main", PROVED), ("Main", PROVED), ("Main", PROVED), ("Two", PROVED), ("Two#2", VIOLATED), ("Free", PROVED)],
    ),
    "a procedure that only an inlined one calls": (
        """procedure {:inline 1} Inlined() { call Called(); } procedure Called() { assert false; }""",
        [("Called", VIOLATED)],
    ),
    "a variable with the name of a procedure": (
        "procedure Main() { var Other: int; Other := 1; assert Other == 1; } procedure Other() { assert false; }",
        [("Main", PROVED), ("Other", VIOLATED)],
    ),
    "only procedures that call each other": (
        """procedure A(n: int) { if (n > 0) { call B(n - 1); } assert n > 0 || n == 0 || n < 0; }
        procedure B(n: int) { assert n >= 0; call A(n); }""",
        [("A", PROVED), ("B", PROVED)],
    ),
    "a procedure that is decided and called": (
        """procedure A(n: int) requires n < 10; { if (n > 0) { call A(n - 1); } assert n < 9; }""",
        [("A", VIOLATED), ("A", PROVED)],
    ),
    "an inlined body that calls itself beyond its depth": (
        """procedure Main() { var r: int; call r := Count(4); assert r == 4; }
        procedure {:inline 1} Count(n: int) returns (r: int)
        { if (n <= 0) { r := 0; } else { call r := Count(n - 1); r := r + 1; } }""",
        [("Main", PROVED)],
    ),
    "a condition that a variable of the callee leaves in a loop": (
        """procedure Main() { var r: int; call r := F(); }
        procedure F() returns (w: int where w >= 0) { w := 0; while (*) { w := w - 1; assert w > -2; } }""",
        [("F", UNKNOWN)],
    ),
    "candidates": (
        """const {:existential true} b: bool; const {:existential true} c: bool;
        procedure Main() { var r: int; call r := F(); assert r > 0; assert r == 1; }
        procedure F() returns (r: int) ensures b ==> r == 1; ensures c ==> r > 0; { r := 2; }""",
        [("Main", PROVED), ("Main", VIOLATED), ("F", PROVED), ("F", PROVED)],
    ),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_meaning_of_calls(tmp_path: Path, name: str) -> None:
    text, wanted = MEANINGS[name]
    assert statuses_of(tmp_path, text, SUMMARIES) == wanted


def test_proofs_and_violations_carry_certificates_and_traces(tmp_path: Path) -> None:
    text, (place, _, wrong) = PAIRS["an assertion in the callee, for the calls that there are"]
    path = tmp_path / "p.bpl"
    path.write_text(text.replace(place, wrong))
    options = Options(InputOptions(str(path), boogie=SUMMARIES), Limits(timeout=60.0))
    found = run(resolve(options.input), options, time.monotonic(), lambda event: None)
    assert found.word == "false(assertion)" and all(verdict.checkers for verdict in found.checks)
    assert [step.function for step in found.trace] == ["Main", "Half", "Half"]


def test_the_option_is_for_verdicts_about_boogie_programs(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text("procedure P() { call Q(1); } procedure Q(x: int) { assert x == 1; }")
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")

    def command(*words: str) -> tuple[str, int]:
        ended = subprocess.run([sys.executable, "-m", "chcverify", *words], capture_output=True, text=True, check=False)
        return ended.stdout, ended.returncode

    assert command(str(path)) == ("false(assertion)\n", 1)
    assert command(str(path), "--calls", "contract") == ("false(assertion)\n", 1)
    assert command(str(path), "--calls", "summary") == ("true\n", 0)
    assert command("annotate", str(path), "--calls", "summary") == ("", 2)
    assert command(str(tmp_path / "p.c"), "--calls", "summary") == ("", 2)
