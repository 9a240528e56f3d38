"""The driver's own decisions: what is accepted, refused and audited."""

import math
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import z3

import chcverify
from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.io.reader import read_horn_text
from chcverify.options import CheckOptions, EngineOptions, InputOptions, Limits, Options
from chcverify.problems.c_problem import load
from chcverify.problems.horn_problem import HornProblem
from chcverify.problems.protocol import Refused
from chcverify.results.result import Safe, Unsafe
from chcverify.run import driver
from chcverify.task import Task, resolve
from chcverify.transforms.base import TranslationError

SYSTEM = read_horn_text(
    """(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))
(check-sat)
""",
    "text",
)
INV = SYSTEM.by_name["inv"]
PROBLEM = HornProblem(SYSTEM, {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"})


@pytest.fixture
def run() -> driver.VerificationRun:
    options = Options(InputOptions("text"), Limits(timeout=600.0), check=CheckOptions("off", True))
    return driver.VerificationRun(Task("text", "horn", "check-sat"), options, time.monotonic(), lambda message: None)


def test_the_portfolio_runs_no_engine_that_is_left_out() -> None:
    engines = EngineOptions(without=("bounded", "explicit"))
    options = Options(InputOptions("text"), Limits(timeout=600.0), engines)
    task = Task("text", "horn", "check-sat")
    runs = driver.VerificationRun(task, options, time.monotonic(), lambda message: None).plan(SYSTEM)
    assert "df" in {run.engine for run in runs}
    assert not {"bounded", "explicit"} & {run.engine for run in runs}


def model(formula: z3.BoolRef) -> Model:
    return Model({INV: formula})


def test_only_models_are_accepted(run: driver.VerificationRun) -> None:
    assert run.certify_answer(PROBLEM, Safe(model(INV.formals[0] >= 0))).accepted
    judgement = run.certify_answer(PROBLEM, Safe(model(z3.BoolVal(True))))
    assert not judgement.accepted
    assert judgement.reason


def test_only_derivations_are_accepted(run: driver.VerificationRun) -> None:
    wrong = Derivation((Step(0, (z3.IntVal(-1),), ()), Step(1, (), (0,))))
    assert not run.certify_answer(PROBLEM, Unsafe(wrong)).accepted


def test_the_audit_names_the_transform_that_breaks_its_law(run: driver.VerificationRun) -> None:
    run.audit("unfold", SYSTEM, model(INV.formals[0] == 0))
    with pytest.raises(TranslationError, match="unfold"):
        run.audit("unfold", SYSTEM, model(INV.formals[0] == 1))


def test_a_derivation_whose_run_misses_the_error_is_refused(tmp_path: Path) -> None:
    """The clauses' derivation alone is not enough for a program: its run is executed."""
    path = tmp_path / "p.c"
    path.write_text(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n"
        "int main(void) {\n  if (__VERIFIER_nondet_int() == 7) reach_error();\n}\n"
    )
    problem = load(resolve(InputOptions(str(path))))
    found = problem.find_violation_by_testing(0, time.monotonic() + 600)
    assert found is not None
    assert problem.trace(found, math.inf)[-1].kind == "violation"
    altered = Derivation(
        tuple(
            Step(step.clause, tuple(z3.IntVal(3) if a.eq(z3.IntVal(7)) else a for a in step.arguments), step.premises)
            for step in found.steps
        )
    )
    with pytest.raises(Refused, match="does not reach the error"):
        problem.replay(altered, math.inf)


def test_no_model_is_believed_once_a_run_has_reached_the_error(run: driver.VerificationRun) -> None:
    """Clauses that a run of the program contradicts prove nothing, whatever the checkers say of the model."""

    @dataclass(frozen=True, eq=False)
    class Contradicted(HornProblem):
        def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
            raise Refused("a run reaches the error")

    problem = Contradicted(SYSTEM, PROBLEM.words)
    assert run.find_violation_by_testing(problem) is None
    judgement = run.certify_answer(problem, Safe(model(INV.formals[0] >= 0)))
    assert not judgement.accepted
    assert judgement.reason == "a run reaches the error"


def test_what_is_told_of_a_verdict_cannot_undo_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.c"
    path.write_text("void reach_error(void);\nint main(void) {\n  reach_error();\n}\n")

    def broken(*_: object) -> tuple[()]:
        raise ValueError("cannot be told")

    for method in ("trace", "recorded_trace"):
        monkeypatch.setattr(f"chcverify.problems.c_problem.CProblem.{method}", broken)
    outcome = chcverify.verify(str(path), timeout=600)
    assert outcome.status == "unsafe" and not outcome.trace
