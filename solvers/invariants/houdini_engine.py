"""Engine `houdini`: the greatest inductive set of mined candidates, then of implications between them.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001].
"""

from collections.abc import Callable, Iterator

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import STEP_S
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.engine import excludes_queries
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Lemma, Requirements
from solvers.invariants.candidate_mining import Candidates, implications, mined
from solvers.invariants.model_minimisation import minimised


class Houdini:
    """Safe when the inductive candidates exclude every query; otherwise they are published on the lemma bus."""

    name = "houdini"
    description = "the inductive subset of candidates that the clauses suggest"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        return first_that_excludes(_rounds(system, context), system, self.name, context)


def _rounds(system: HornSystem, context: Context) -> Iterator[Invariants]:
    facts, check_s = mined(system), STEP_S
    kept = inductive_subset(system, facts, context.deadline, check_s=check_s)
    known = strengthened({}, kept)
    yield known
    # Facts that do not always hold may hold in some state.
    lost = {p: [fact for fact in facts[p] if not any(fact is other for other in kept[p])] for p in system.predicates}
    yield strengthened(known, inductive_subset(system, implications(system, lost), context.deadline, known, check_s))


def first_that_excludes(
    rounds: Iterator[Invariants],
    system: HornSystem,
    name: str,
    context: Context,
    excludes: Callable[[HornSystem, Invariants, Context], bool] = excludes_queries,
) -> Result:
    """The first invariants that exclude every query as a model. All are published, in the engine's name."""
    for number, known in enumerate(rounds, 1):
        context.progress(name, {"round": number})
        context.statistics["rounds"] = number
        context.bus.publish([Lemma(p, formula, name) for p, formula in known.items() if not z3.is_true(formula)])
        if excludes(system, known, context):
            return Safe(minimised(system, Model(known), context))
        if context.remaining() <= 0:
            break
    reason = "time limit" if context.remaining() <= 0 else "the invariants do not exclude every query"
    return Unknown(f"{name}: {reason}")


def strengthened(known: Invariants, parts: Candidates) -> Invariants:
    """The conjunction of the invariants and the further formulas of each predicate."""
    return {p: conjunction([known.get(p, z3.BoolVal(True)), *formulas]) for p, formulas in parts.items()}
