"""Ranks that count: the steps that a run can still take, in a component in which it takes only a few.

What is left of a loop when the steps by which an outer rank decreases are taken away often cannot go round: where words
are skipped one by one, a run comes from the end of a word to the next one only by a step over a character. If that
depends on the contents of an array, no linear rank says so; the preconditions of one step, two steps and so on do, as
they are about cells. For `while (*p) { while (*p == ' ') p++; while (*p && *p != ' ') p++; }` and steps that leave p as
it is: one more step is possible from the second inner loop where *p is ' ', and two are from the outer one where it is
neither ' ' nor 0; three never are.

Dijkstra: Guarded commands, nondeterminacy and formal derivation of programs (CACM 1975): preconditions of at most so
many steps of a loop.
"""

import time
from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.effort import IMPROVEMENT_S, MAX_CASES, MAX_COMBINED, MOMENT_MS
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.irredundant import follows, irredundant_cases
from chcverify.terms.core.sums import sum_of
from chcverify.terms.core.traversal import conjunction, conjuncts, disjunction, free_variables, substitute
from chcverify.terms.quantifiers.elimination import eliminate

MOST_PATHS = MAX_CASES
"""Paths between cut points, each of which has a precondition of its own."""
MOST_STEPS = MAX_COMBINED
"""Steps that a run may take at most, more than there are cut points. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class StepFormula:
    """The steps along one path between cut points."""

    start: Predicate
    target: Predicate
    first: Sequence[z3.ExprRef]
    """The variables of the fact before the step."""
    last: Sequence[z3.ExprRef]
    """Those of the fact behind it."""
    formula: z3.BoolRef
    """What holds of them, with variables of its own."""

    def precondition(self, region: z3.BoolRef) -> z3.BoolRef | None:
        """The facts, over the formals of the start, from which such a step leads into a region of the target; None
        where quantifiers stay."""
        reached = substitute(region, zip(self.target.formals, self.last, strict=True))
        whole = z3.And(self.formula, reached)
        kept = {variable.get_id() for variable in self.first}
        bound = [variable for variable in free_variables(whole) if variable.get_id() not in kept]
        found = eliminate(bound, whole, MOMENT_MS, only_light=True)
        return None if found is None else substitute(found, zip(self.first, self.start.formals, strict=True))


def ranks_by_remaining_steps(
    steps: Sequence[StepFormula], known: Model, deadline: float
) -> Mapping[Predicate, z3.ArithRef] | None:
    """The number of steps that are possible from each fact, if there are at most few; else, and at the deadline, None.

    steps: all steps of a component. known: formulas that hold in all facts. deadline: time.monotonic().
    """
    starts = list(dict.fromkeys(step.start for step in steps))
    possible: Mapping[Predicate, z3.BoolRef] = {start: z3.BoolVal(True) for start in starts}
    counted: dict[Predicate, list[z3.ArithRef]] = {start: [z3.IntVal(0)] for start in starts}
    for _ in range(len(starts) + MOST_STEPS):
        before = _preconditions(steps, possible, deadline)
        if before is None:
            return None
        # known => no step leads on
        if all(follows(known[start], z3.Not(region)) for start, region in before.items()):
            return {start: sum_of(counts) for start, counts in counted.items()}
        possible = {start: _shorter(region, known[start], deadline) for start, region in before.items()}
        for start, region in possible.items():
            counted[start].append(z3.If(region, z3.IntVal(1), z3.IntVal(0)))
    return None


def _preconditions(
    steps: Sequence[StepFormula], regions: Mapping[Predicate, z3.BoolRef], deadline: float
) -> dict[Predicate, z3.BoolRef] | None:
    """The facts from which some step leads into the region of its target; None where that is not known, or late."""
    found: dict[Predicate, list[z3.BoolRef]] = {start: [] for start in regions}
    for step in steps:
        if step.target in regions:  # else the run ends there
            part = step.precondition(regions[step.target]) if time.monotonic() < deadline else None
            if part is None:
                return None
            found[step.start].append(part)
    return {start: disjunction(parts) for start, parts in found.items()}


def _shorter(region: z3.BoolRef, known: z3.BoolRef, deadline: float) -> z3.BoolRef:
    """The region without what is known of all facts."""
    simple: z3.BoolRef = z3.simplify(region)
    left = min(IMPROVEMENT_S, deadline - time.monotonic())
    return conjunction(irredundant_cases(conjuncts(simple), [known], left)) if left > 0 else simple
