"""One obligation of a certificate: a formula whose negation solvers must refute, and what one of them answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import z3

from chcverify.horn.system import Clause
from chcverify.terms.core.traversal import conjunct_handles, conjunction
from chcverify.terms.native import handles


class MalformedCertificate(Exception):
    """The certificate is rejected before any solver is asked; the message is the reason."""


@dataclass(frozen=True, eq=False)
class Obligation:
    """assumption => goal must be valid, i.e. assumption & ~goal unsatisfiable. `build` gives (assumption, goal).

    Built on demand: all instances of a large model at once would fill the memory. ground: no variables are left, but
    for arrays that the assumption describes. variables: the free ones of both.
    """

    name: str
    build: Callable[[], tuple[z3.BoolRef, z3.BoolRef]]
    ground: bool = False
    variables: tuple[z3.ExprRef, ...] = field(default=())

    def negated(self) -> z3.BoolRef:
        """assumption & ~goal, without the conjuncts of the goal that the assumption has, too: those hold."""
        assumption, goal = self.build()
        known = set(conjunct_handles(assumption))
        left = [handles.wrap(part, goal.ctx) for part in conjunct_handles(goal) if part not in known]
        return z3.And(assumption, z3.Not(conjunction(left))) if left else z3.BoolVal(False)


@dataclass(frozen=True)
class CheckFinding:
    """A solver's answer to one obligation. `reason` explains "fails" and "unknown"."""

    status: Literal["holds", "fails", "unknown"]
    reason: str = ""


HOLDS = CheckFinding("holds")


def describe(index: int, clause: Clause) -> str:
    """The clause as messages name it."""
    notes = [text for text in (clause.name, str(clause.origin) if clause.origin else "") if text]
    return f"clause {index}" + (f" ({', '.join(notes)})" if notes else "")
