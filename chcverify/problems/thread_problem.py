"""The problem of a program with threads: a model of its thread-modular clauses is a proof, a derivation nothing."""

from chcverify.certificate.derivation import Derivation
from chcverify.lazy_dataclass import dataclass
from chcverify.problems.horn_problem import HornProblem
from chcverify.problems.protocol import Refused

NOT_A_RUN = "a derivation from thread-modular clauses need not be a run, and no schedule was found that is one"


@dataclass(frozen=True, eq=False)
class ThreadProblem(HornProblem):
    """The clauses of a program with threads. Violations are decided by executed schedules alone."""

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        """Refused: the clauses may derive what no schedule does."""
        raise Refused(NOT_A_RUN)

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        """As `replay`."""
        raise Refused(NOT_A_RUN)
