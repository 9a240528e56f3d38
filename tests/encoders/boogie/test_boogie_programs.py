"""Boogie programs from their text to certified verdicts."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions, Limits, Options
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
        type Field a; var H: <a>[Field a]a;
        procedure P(f: Field int) { assert H[f] == 0; }
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
