"""Other engines on a system strengthened by invariants: what is known of a body atom stands in the clause."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.result import Result, Safe, Unknown
from chcverify.terms.walk import conjunction
from solvers.engine import Context, Requirements
from solvers.invariants.engine import excludes_queries, rounds
from solvers.invariants.fixpoint import Invariants
from solvers.invariants.presets import BASIC
from solvers.registry import get, refusal

SHARE = 0.4  # of the time for the generator


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


class FedByDataFlow:
    """The first rounds of the preset `df`, then another engine on the strengthened system."""

    requires = Requirements()

    def __init__(self, engine: str) -> None:
        self.name = f"{engine}+df"
        self.description = f"{engine} on the clauses strengthened by the invariants of df"
        self._engine = engine

    def check_options(self, given: Mapping[str, str]) -> None:
        for option, value in given.items():
            if why := refusal(self._engine, option, value):
                raise ValueError(why)

    def solve(self, system: HornSystem, context: Context) -> Result:
        invariants: Invariants = {}
        first = replace(context, deadline=context.deadline - (1 - SHARE) * context.remaining())
        for invariants in islice(rounds(system, "df", first), len(BASIC)):
            if excludes_queries(system, invariants, first):
                return Safe(Model(invariants))
        if not invariants:
            return Unknown("no invariants in time")
        result = get(self._engine).solve(strengthen(system, invariants), context)
        if not isinstance(result, Safe):
            return result
        formulas = {p: conjunction([result.model[p], invariants[p]]) for p in system.predicates}
        return Safe(Model(formulas))


def spacer_df() -> FedByDataFlow:
    return FedByDataFlow("spacer-global")


def pdr_df() -> FedByDataFlow:
    return FedByDataFlow("pdr")
