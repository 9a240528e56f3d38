"""Termination of Horn clauses by the command, with the stand-alone checker as the judge."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.horn.io.reader import read_horn
from chcverify.options import InputOptions, Limits, Options
from chcverify.run.termination.horn_termination_run import HornTerminationRun
from chcverify.run.termination.termination_decider import run
from chcverify.task import resolve

ROOT = Path(__file__).resolve().parents[4]
SYSTEM = """(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (> y 0) (loop x y))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (> x 0)) (loop (- x y) y))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< y 0)) false)))
(check-sat)
"""
CASES = {
    "a rank": (SYSTEM, "true"),
    "a state that comes again": (SYSTEM.replace("(> y 0)", "(>= y 0)"), "false(termination)"),
    "a state that grows": (SYSTEM.replace("(- x y)", "(+ x y)"), "false(termination)"),
    "a query that is derived": (SYSTEM.replace("(< y 0)", "(> y 5)"), "unknown"),
}


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, cwd=folder)


@pytest.mark.parametrize("name", CASES)
def test_clauses(name: str, tmp_path: Path) -> None:
    text, verdict = CASES[name]
    (tmp_path / "loop.smt2").write_text(text)
    flags = ("loop.smt2", "--property", "termination")
    done = command(tmp_path, "-m", "chcverify", *flags, "--certificate", "proof.json", "--timeout", "60")
    assert done.stdout == f"{verdict}\n", done.stderr
    if verdict != "unknown":
        alone = command(tmp_path, str(ROOT / "check_termination.py"), "proof.json", "loop.smt2")
        assert alone.stdout == "accepted\n"
        assert command(tmp_path, "-m", "chcverify", "check", "proof.json", *flags).stdout == "accepted\n"


def test_a_rank_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "loop.smt2"
    path.write_text(SYSTEM)
    options = Options(InputOptions(str(path), property="termination"), limits=Limits(timeout=120.0))
    outcome = run(resolve(options.input), options, time.monotonic())
    assert outcome.word == "true" and [note.place for note in outcome.loops] == ["loop"]


def test_a_run_of_clauses_that_end_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "loop.smt2"
    path.write_text(SYSTEM)
    options = Options(InputOptions(str(path), property="termination"), limits=Limits(timeout=120.0))
    search = HornTerminationRun(resolve(options.input), options, time.monotonic(), lambda event: None)
    assert search.run_of_clauses(read_horn(str(path)), time.monotonic() + 5) is None
