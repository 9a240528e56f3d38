"""Linear systems for the engines that share parts with PDR, and answers with checked certificates."""

import time
from pathlib import Path

import z3
from pdr_systems import CASES
from random_systems import Maker

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.problems.c_problem import load
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.task import read_task
from chcverify.transforms.pipeline import default_pipeline
from solvers.engine import Context, Engine

LINEAR_CASES = [case for case in CASES if case.system.is_linear]
ONE_LOOP = ("const", "eq1", "eq2", "even", "odd", "mod4", "bin-suffix-5")
PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "one_loop"


class LinearMaker(Maker):
    """Draws systems whose clauses have one body atom at most."""

    def clause(self, head: Predicate | None, size: int) -> Clause:
        return super().clause(head, min(size, 1))


def accepted(system: HornSystem, result: Result) -> bool:
    """Does the checker accept the certificate, if there is one?"""
    deadline = time.monotonic() + 600
    if isinstance(result, Safe):
        return check_model(system, result.model, deadline).accepted
    return not isinstance(result, Unsafe) or check_derivation(system, result.derivation, deadline).accepted


def certified(engine: Engine, system: HornSystem, seconds: float) -> Result:
    result = engine.solve(system, Context.within(seconds))
    assert accepted(system, result), f"{engine.name}: certificate refused for\n{system}"
    return result


def of_program(engine: Engine, name: str, seconds: float) -> Result:
    """The answer for a one-loop program; its certificate is checked on the clauses before all transforms."""
    system = load(read_task(str(PROGRAMS / f"{name}.yml"))).system
    reduced, back = default_pipeline().apply(system)
    result = engine.solve(reduced, Context.within(seconds))
    if isinstance(result, Safe):
        assert accepted(system, Safe(back.model(result.model)))
    if isinstance(result, Unsafe):
        assert accepted(system, Unsafe(back.derivation(result.derivation)))
    return result


def rotation(start: z3.BoolRef) -> HornSystem:
    """Three values go round: that the first two differ is 3-inductive."""
    x, y, z, u, v, w = z3.Ints("x y z u v w")
    inv = Predicate("Inv", (z3.IntSort(),) * 3)
    return HornSystem.of(
        [
            Clause(inv(x, y, z), (), start),  # start => Inv(x, y, z)
            # Inv(x, y, z) & u = y & v = z & w = x => Inv(u, v, w)
            Clause(inv(u, v, w), (inv(x, y, z),), z3.And(u == y, v == z, w == x)),
            Clause(None, (inv(x, y, z),), x == y),  # Inv(x, y, z) & x = y => false
        ]
    )
