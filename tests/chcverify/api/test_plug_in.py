"""Engines of other distributions: found by their entry point, listed, run, and believed as little as all others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ENGINE = """
import z3
import chcverify


class Guess:
    name = "guess"
    description = "guesses one formula for every predicate"
    requires = chcverify.Requirements()

    def solve(self, system, context):
        context.progress("guessing", {"predicates": len(system.predicates)})
        holds = context.options.get("holds", "true") == "true"
        return chcverify.Safe(chcverify.Model({p: z3.BoolVal(holds) for p in system.predicates}))


class Broken:
    name = "broken"
    description = "fails"
    requires = chcverify.Requirements()

    def solve(self, system, context):
        raise RuntimeError("out of ideas")
"""
EMPTY = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (and (P x) (> x 3)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (P x) false)))
(check-sat)
"""
COUNTER = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 9)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 9)) false)))
(check-sat)
"""


@pytest.fixture
def run(tmp_path: Path):
    """The command, in an environment where a distribution with two engines and a missing one is installed."""
    (tmp_path / "guessing.py").write_text(ENGINE)
    info = tmp_path / "guessing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guessing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[chcverify.engines]\nguess = guessing:Guess\nbroken = guessing:Broken\n"
        "lost = nowhere:Lost\nspacer = guessing:Guess\n"
    )
    (tmp_path / "empty.smt2").write_text(EMPTY)
    (tmp_path / "counter.smt2").write_text(COUNTER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        whole = [sys.executable, "-m", "chcverify", *arguments]
        return subprocess.run(whole, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=900)

    return command


def test_listed(run):
    listed = run("engines").stdout.splitlines()
    assert [line for line in listed if "[guessing]" in line and "guesses one formula" in line]
    assert [line for line in listed if line.startswith("lost") and "cannot be loaded" in line]
    assert not [line for line in listed if line.startswith("spacer ") and "[guessing]" in line]


def test_a_right_guess_is_a_verdict(run):
    result = run("empty.smt2", "--engine", "guess", "--engine-option", "holds=false", "--timeout", "600")
    assert result.stdout == "sat\n" and "by guess" in result.stderr


def test_a_wrong_guess_is_none(run):
    result = run("counter.smt2", "--engine", "guess", "--timeout", "600")
    assert result.stdout == "unknown\n" and "certificate refused" in result.stderr


def test_a_failure_is_unknown_with_its_reason(run):
    result = run("counter.smt2", "--engine", "broken", "--timeout", "600")
    assert result.stdout == "unknown\n" and result.returncode == 3 and "out of ideas" in result.stderr
