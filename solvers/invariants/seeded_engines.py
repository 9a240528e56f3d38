"""Engines on a system strengthened by invariants: the invariants of each body atom are added to the clause."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import z3

from chcverify.certificate.model import Model
from chcverify.effort import EQUAL_SHARE
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.analysis_passes import BASIC
from solvers.abstract_interpretation.engine import analysis_passes, excludes_queries
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Requirements
from solvers.invariants.candidate_tuning import CANDIDATE_TUNING
from solvers.invariants.model_minimisation import minimised
from solvers.registry import get, refusal


def strengthen(system: HornSystem, invariants: Invariants) -> HornSystem:
    """Each clause with the invariants of its body atoms in the constraint; clause indices stay.

    A derivation of the result is one of the system; a model of it, conjoined with the invariants, is one, too.
    """
    model = Model(invariants)
    clauses = (
        replace(clause, constraint=conjunction([clause.constraint, *(model.instantiate(atom) for atom in clause.body)]))
        for clause in system.clauses
    )
    return HornSystem(system.predicates, tuple(clauses))


class SeededByDataFlow:
    """Another engine alone, then the first rounds of the preset `df`, then the engine on the strengthened system.

    Lemmas may be in the way as well: what the engine alone solves soon is not to depend on them.
    """

    requires = Requirements()

    def __init__(self, engine: str) -> None:
        self.name = f"{engine}+df"
        self.description = f"{engine} on the clauses strengthened by the invariants of df"
        self._engine = engine

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but an option of the seeded engine."""
        for option, value in given.items():
            if why := refusal(self._engine, option, value):
                raise ValueError(why)

    def solve(self, system: HornSystem, context: Context) -> Result:
        engine = get(self._engine)
        result = engine.solve(system, context.first(CANDIDATE_TUNING.unseeded_time_fraction))
        if not isinstance(result, Unknown):
            return result
        invariants: Invariants = {}
        generating = context.first(EQUAL_SHARE)
        for invariants in islice(analysis_passes(system, "df", generating), len(BASIC)):
            if excludes_queries(system, invariants, generating):
                return Safe(Model(invariants))
        if invariants:
            invariants = dict(minimised(system, Model(invariants), context).interpretations)
        else:  # no round in time
            invariants = dict.fromkeys(system.predicates, z3.BoolVal(True))
        result = engine.solve(strengthen(system, invariants), context)
        if not isinstance(result, Safe):
            return result
        formulas = {p: conjunction([result.model[p], invariants[p]]) for p in system.predicates}
        return Safe(Model(formulas))


def spacer_df() -> SeededByDataFlow:
    """The engine `spacer-global+df`."""
    return SeededByDataFlow("spacer-global")


def pdr_df() -> SeededByDataFlow:
    """The engine `pdr+df`."""
    return SeededByDataFlow("pdr")
