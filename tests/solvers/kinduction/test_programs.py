"""The family on the programs of its papers: right answers, each checked on the clauses of the program."""

import time
from pathlib import Path

import pytest

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.problems.c_problem import load
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.task import read_task
from chcverify.transforms.pipeline import default_pipeline
from solvers.engine import Context
from solvers.registry import get

PROGRAMS = Path(__file__).parents[3] / "benchmarks"
ONE_LOOP = ("const", "eq1", "eq2", "even", "odd", "mod4", "bin-suffix-5")


def certified(task: str, engine: str, seconds: float, options: dict[str, str] | None = None) -> Result:
    """The engine's answer; a certificate is checked on the clauses before any transform."""
    system = load(read_task(str(PROGRAMS / f"{task}.yml"))).system
    reduced, back = default_pipeline().apply(system)
    result = get(engine).solve(reduced, Context(Context.within(seconds).deadline, options=options or {}))
    deadline = time.monotonic() + 600
    if isinstance(result, Safe):
        assert check_model(system, back.model(result.model), deadline).accepted
    if isinstance(result, Unsafe):
        assert check_derivation(system, back.derivation(result.derivation), deadline).accepted
    return result


@pytest.mark.parametrize("engine", ["bmc", "kind", "kind+df", "kind+kipdr", "kipdr", "combined", "combined+df"])
def test_the_unsafe_automaton_is_never_called_safe(engine: str) -> None:
    assert isinstance(certified("k_induction/automaton-unsafe", engine, 200), Unsafe)


@pytest.mark.parametrize("engine", ["kind+df", "combined+df"])
def test_the_safe_automaton_needs_an_invariant(engine: str) -> None:
    assert isinstance(certified("k_induction/automaton", engine, 200), Safe)
    assert not isinstance(certified("k_induction/automaton", engine.split("+")[0], 0.7), Safe | Unsafe)


@pytest.mark.parametrize("task", ["swap3", "double-put", "double-length"])
def test_combined_case_needs_no_invariant(task: str) -> None:
    assert isinstance(certified(f"k_induction/{task}", "combined", 200), Safe)


def test_k_by_source_line() -> None:
    lines = (PROGRAMS / "k_induction" / "swap3.c").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "while" in text)
    assert isinstance(certified("k_induction/swap3", "combined", 200, {"k": f"{line}:3"}), Safe)
    assert not isinstance(certified("k_induction/swap3", "combined", 200, {"k": f"{line}:2"}), Safe)


@pytest.mark.parametrize("task", ONE_LOOP)
def test_property_directed_k_induction_proves_the_one_loop_programs(task: str) -> None:
    assert isinstance(certified(f"one_loop/{task}", "kind+kipdr", 200), Safe)
    assert isinstance(certified(f"one_loop/{task}-unsafe", "kind+kipdr", 200), Unsafe)
