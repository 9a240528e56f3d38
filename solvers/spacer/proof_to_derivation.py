"""Turns Spacer's proof into a derivation from the clauses of the system.

z3 unfolds, slices and reorders clauses before Spacer sees them, so a step of its proof need not be a clause of the
system. Its facts are derivable, however: each is derived anew from the facts below it, by lazy inlining, which also
computes the values that the proof omits.
"""

import dataclasses

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, MAX_FORMULAS
from chcverify.horn.system import HornSystem
from solvers.engine import Context
from solvers.spacer.lazy_inlining import ClauseUse, Inliner
from solvers.spacer.proof_facts import ProofFact, ProofNode, nodes


class Steps:
    """Steps of a derivation under construction; each fact is derived once."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.index: dict[ProofFact, int] = {}

    def add(self, uses: list[ClauseUse]) -> None:
        """Adds the uses as steps, except for facts that have a step already."""
        for use in uses:
            if use.fact is not None and use.fact in self.index:
                continue
            premises = tuple(self.index[premise] for premise in use.premises)
            arguments = () if use.fact is None else use.fact.arguments
            if use.fact is not None:
                self.index[use.fact] = len(self.steps)
            self.steps.append(Step(use.clause, arguments, premises))

    def derivation(self) -> Derivation:
        """The derivation of the last step, without steps that it does not need."""
        needed = {len(self.steps) - 1}
        for number in range(len(self.steps) - 1, -1, -1):
            if number in needed:
                needed.update(self.steps[number].premises)
        position = {number: i for i, number in enumerate(sorted(needed))}
        kept = (self.steps[number] for number in sorted(needed))
        return Derivation(tuple(Step(s.clause, s.arguments, tuple(position[p] for p in s.premises)) for s in kept))


def rebuild(system: HornSystem, proof: z3.ExprRef, context: Context) -> Derivation | None:
    """The derivation, or None if the search reaches its limits."""
    steps = Steps()
    # a fact that could not be derived -> the facts below it that could
    support: dict[ProofFact, tuple[ProofFact, ...]] = {}
    *inner, last = nodes(system, proof)
    for node in inner:
        premises = _derived(node, steps, support)
        uses = _search(system, node.fact, premises, context, EARLY_SHARE, MAX_FORMULAS)
        if uses is None:
            assert node.fact is not None
            support[node.fact] = premises
        else:
            steps.add(uses)
    premises = _derived(last, steps, support)
    uses = _search(system, None, premises, context, EQUAL_SHARE, MAX_FORMULAS)
    if uses is None:
        uses = _search(system, None, tuple(steps.index), context, share=1.0, max_goals=100 * MAX_FORMULAS)
    if uses is None:
        return None
    steps.add(uses)
    return steps.derivation()


def _derived(node: ProofNode, steps: Steps, support: dict[ProofFact, tuple[ProofFact, ...]]) -> tuple[ProofFact, ...]:
    found = [fact for premise in node.premises for fact in support.get(premise, (premise,))]
    return tuple(fact for fact in dict.fromkeys(found) if fact in steps.index)


def _search(
    system: HornSystem,
    goal: ProofFact | None,
    known: tuple[ProofFact, ...],
    context: Context,
    share: float,
    max_goals: int,
) -> list[ClauseUse] | None:
    """The uses of clauses that derive the goal from the premises, searched for `share` of the remaining time."""
    limited = dataclasses.replace(context, deadline=context.deadline - (1 - share) * context.remaining())
    return Inliner(system, goal, known, max_goals).search(limited)
