"""The problem of a program with threads: a model of its thread-modular clauses is a proof, a derivation nothing."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.problems.horn_problem import HornProblem
from chcverify.problems.protocol import Refused
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption

if TYPE_CHECKING:
    from encoders.c.execution.threads.guided_turns import GuidedStep

Turns = Mapping[int, "tuple[GuidedStep, ...]"]
Follow = Callable[[Derivation, float], bool]
NOT_A_RUN = "a derivation from thread-modular clauses need not be a run, and no schedule was found that is one"


@dataclass(frozen=True, eq=False)
class ThreadProblem(HornProblem):
    """The clauses of a program with threads. Violations are decided by executed schedules alone."""

    follow: Follow | None = None
    """Of the product: is there a violation that follows the steps of a derivation? The second argument is the
    time.monotonic() to stop at."""

    turns: Turns | None = None
    """The steps of threads that each clause is about."""
    unmodelled: Mapping[int, str] = field(default_factory=dict)
    """What is not modelled, with its position, by the index of the query for it."""
    assumed: tuple[Assumption, ...] = ()
    """What the program's automata assume."""

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        """Those of the automata, for proofs and violations."""
        return self.assumed

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        """The derivation, if a run that follows it violates the property; else Refused."""
        if self.follow is None or not self.follow(derivation, until):
            raise Refused(NOT_A_RUN)
        return derivation

    def dependence(self, derivation: Derivation) -> str:
        """What is not modelled, with its position, if the derivation ends there; else ""."""
        last = derivation.steps[-1]
        return self.unmodelled.get(last.clause, "") if isinstance(last, Step) else ""

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        """As `replay`."""
        return self.replay(derivation, until)
