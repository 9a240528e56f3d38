"""Horn clauses as a problem: their certificates need no translation."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.problems.protocol import Refused
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check
from chcverify.results.outcome import FailingTest, Status
from chcverify.results.source_facts import SourceInvariant, TraceStep

if TYPE_CHECKING:
    from chcverify.horn.origin import Origin
    from chcverify.results.report_data import Graph


HORN_WORDS: Mapping[Status, str] = {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"}


@dataclass(frozen=True, eq=False)
class HornProblem:
    """The problem of a file of Horn clauses; its certificates need no translation."""

    system: HornSystem
    words: Mapping[Status, str]

    def invariants(self, model: Model, only_loop_heads: bool = False) -> tuple[SourceInvariant, ...]:
        return ()

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        return None

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        return derivation

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        return derivation

    def failing_test(self, derivation: Derivation, until: float) -> FailingTest:
        raise Refused("clauses are no program")

    def recorded_trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        return ()

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        return ()

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        return ()

    def claims(self) -> Model | None:
        return None

    def claim_warnings(self, model: Model | None, blocks: HornSystem | None, until: float) -> tuple[str, ...]:
        return ()

    def assertions(self) -> "tuple[Origin, ...]":
        return tuple(clause.origin for clause in self.system.clauses if clause.is_query and clause.origin is not None)

    def graphs(self) -> "tuple[Graph, ...]":
        return ()

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        return ()

    def violated(self, derivation: Derivation) -> Check | None:
        return None

    def unreached(self, model: Model, until: float) -> frozenset[Check]:
        return frozenset()

    def is_vacuous(self, model: Model, until: float) -> bool:
        return False

    def variables(self) -> Mapping[str, frozenset[str]]:
        return {}

    def without_traps(self) -> HornSystem | None:
        return None

    def dependence(self, derivation: Derivation) -> str:
        return ""

    def open_checks(self, derivation: Derivation) -> tuple[Check, ...]:
        return ()
