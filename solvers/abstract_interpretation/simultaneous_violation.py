"""Leaps: steps whose heads violate many conjuncts of a value at once, so that one check moves many bounds.

A solver that is asked for a head outside a box gives one that leaves it at one side, mostly. That is as many checks as
there are bounds, times the moves of each. But what is violated in one place can mostly be violated in many.
"""

from collections.abc import Callable, Sequence

import z3

MAX_ATTEMPTS = 3


class SimultaneousViolation:
    """Of one clause. translate: from the formals of its head to its own variables."""

    def __init__(self, translate: Callable[[z3.BoolRef], z3.BoolRef]) -> None:
        self._translate = translate
        # By its identity each conjunct that was asked for, and its violation by the head.
        self._violations: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}
        self._hopeless: set[int] = set()

    def renew(self) -> None:
        """To be told when there may be more steps than before."""
        self._hopeless.clear()

    def find(self, parts: Sequence[z3.BoolRef], solver: z3.Solver) -> z3.ModelRef | None:
        """A step that violates two or more of the parts: all but those that the solver names as impossible.

        The solver holds the clause. None: a few checks have found none.
        """
        goals = {part.get_id(): self._violation(part) for part in parts}
        left = {key: goal for key, goal in goals.items() if key not in self._hopeless and not z3.is_false(goal)}
        for _ in range(MAX_ATTEMPTS):
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
