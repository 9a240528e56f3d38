"""Queries for steps whose heads violate many conjuncts of a value at once, so that one query moves many bounds.

A solver that is asked for a head outside a box mostly gives one that leaves it at one side. That costs one query per
bound and move. Where one conjunct can be violated, many others mostly can be violated as well.
"""

from collections.abc import Callable, Sequence

import z3

from chcverify.effort import MAX_COMBINED


class SimultaneousViolation:
    """Queries about one clause. translate: from the formals of its head to its own variables."""

    def __init__(self, translate: Callable[[z3.BoolRef], z3.BoolRef]) -> None:
        self._translate = translate
        # By its identity each conjunct that was asked for, and its violation by the head.
        self._violations: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}
        self._hopeless: set[int] = set()

    def renew(self) -> None:
        """Forgets impossible combinations; must be called when there may be more steps than before."""
        self._hopeless.clear()

    def find(self, parts: Sequence[z3.BoolRef], solver: z3.Solver) -> z3.ModelRef | None:
        """A model of a step that violates at least two of the parts; None if a few queries find none.

        Starts with all parts and drops those that unsat cores show to be impossible. The solver holds the clause.
        """
        goals = {part.get_id(): self._violation(part) for part in parts}
        left = {key: goal for key, goal in goals.items() if key not in self._hopeless and not z3.is_false(goal)}
        for _ in range(MAX_COMBINED):
            if len(left) < 2:
                break
            # value(body) & constraint & ~part(head) for each part
            answer = solver.check(*left.values())
            if answer == z3.sat:
                return solver.model()
            core = {goal.get_id() for goal in solver.unsat_core()} if answer == z3.unsat else set()
            if not core:
                break
            self._hopeless |= {key for key, goal in left.items() if goal.get_id() in core}
            left = {key: goal for key, goal in left.items() if key not in self._hopeless}
        return None

    def _violation(self, part: z3.BoolRef) -> z3.BoolRef:
        key = part.get_id()
        if key not in self._violations:
            self._violations[key] = part, z3.simplify(self._translate(z3.Not(part)))
        return self._violations[key][1]
