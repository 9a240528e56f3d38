"""Invariant generators as engines: safe when the invariants exclude every query; every round goes to the lemma bus."""

from collections.abc import Iterator

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.result import Result, Safe, Unknown
from chcverify.terms.walk import conjunction
from solvers.engine import Context, Lemma, Requirements
from solvers.invariants.features import thresholds
from solvers.invariants.fixpoint import Fixpoint, Invariants
from solvers.invariants.partition import conditions
from solvers.invariants.presets import PRESETS


def rounds(system: HornSystem, preset: str, context: Context) -> Iterator[Invariants]:
    """The inductive invariants after each round of the preset; each is published before it is yielded."""
    limits = thresholds(system)
    known: Invariants = {}
    for stage in PRESETS[preset]:
        cells = conditions(system, stage.conditions)
        found = Fixpoint(system, stage.components(limits), known, context, cells).run()
        if found is None:
            return
        known = {predicate: z3.simplify(formula) for predicate, formula in found.items()}
        lemmas = [Lemma(p, formula, preset) for p, formula in known.items() if not z3.is_true(formula)]
        context.bus.publish(lemmas)
        yield known


def excludes_queries(system: HornSystem, invariants: Invariants, context: Context) -> bool:
    """Does the solver show that no query can be violated within the invariants?"""
    model = Model(invariants)
    for index in system.queries:
        clause = system.clauses[index]
        solver = z3.Solver()
        solver.set("timeout", max(1, int(1000 * min(5.0, context.remaining()))))
        solver.add(clause.constraint, conjunction(model.instantiate(atom) for atom in clause.body))
        # invariants(body) & constraint
        if solver.check() != z3.unsat:
            return False
    return True


class DataFlow:
    """A preset as an engine."""

    requires = Requirements()

    def __init__(self, preset: str) -> None:
        self.name = preset
        self.description = f"abstract interpretation, preset {preset}"

    def solve(self, system: HornSystem, context: Context) -> Result:
        for number, invariants in enumerate(rounds(system, self.name, context), 1):
            context.progress(self.name, {"round": number})
            context.statistics["rounds"] = number
            if excludes_queries(system, invariants, context):
                return Safe(Model(invariants))
        reason = "time limit" if context.remaining() <= 0 else "the invariants do not exclude every query"
        return Unknown(f"{self.name}: {reason}")


def df_boxes() -> DataFlow:
    return DataFlow("df-boxes")


def df_boxes_eq() -> DataFlow:
    return DataFlow("df-boxes-eq")


def df_boxes_eq_mod2() -> DataFlow:
    return DataFlow("df-boxes-eq-mod2")


def df() -> DataFlow:
    return DataFlow("df")


def df_poly() -> DataFlow:
    return DataFlow("df-poly")
