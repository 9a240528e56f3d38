"""The protocol of problems in any language: a Horn system, and the meaning of its certificates for the input."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check
from chcverify.results.outcome import FailingTest, Status
from chcverify.results.source_facts import SourceInvariant, TraceStep

if TYPE_CHECKING:
    from chcverify.horn.origin import Origin
    from chcverify.results.report_data import Graph


class Refused(Exception):
    """The problem, or the last step of an answer to it, is beyond what is modelled: `unknown` with this reason."""


class PutOff(Exception):
    """What was asked for would take long, and is to wait for what is quick.

    violated: the check that the long run violates, None if it is an assertion."""

    def __init__(self, violated: Check | None = None) -> None:
        super().__init__()
        self.violated = violated


class Problem(Protocol):
    """words: the verdicts as printed."""

    @property
    def system(self) -> HornSystem: ...

    @property
    def words(self) -> Mapping[Status, str]: ...

    def invariants(self, model: Model, only_loop_heads: bool = False) -> tuple[SourceInvariant, ...]:
        """The invariants of the source by the model; those at the heads of loops, or all."""
        ...

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        """A derivation by random testing, before any engine runs; until: time.monotonic() to stop at, later on a busy
        machine, where so many seconds of the processor take longer.

        Refused if testing found a violation that the clauses do not derive: then no model of them proves anything.
        PutOff if its run is too long for those that are wanted first.
        """
        ...

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        """Executes the run that the derivation describes, until time.monotonic() is `until`; Refused if it does not
        reach the error. Returns the derivation of the violation that the run ends at: another one, which has not been
        checked yet, where the run violates something else before."""
        ...

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        """As `replay`, with the compiled program on the inputs of the run, too; Refused if that cannot be done or does
        not reach the error. Runs that are too long for the first are left to the second."""
        ...

    def failing_test(self, derivation: Derivation, until: float) -> FailingTest:
        """A program that fails as the run does, after it was compiled and run where that is possible.

        Refused if there is none.
        """
        ...

    def recorded_trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        """What `trace` gives, if `replay` has recorded it: that of a long run; else ()."""
        ...

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        """The steps of a run that was confirmed, as far as there is time to reconstruct them."""
        ...

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        """The undefined behaviour during the run, with its lines. brief: only as far as there is time."""
        ...

    def claims(self) -> Model | None:
        """The invariants that annotations of the input claim, which nothing has shown; None if there are none."""
        ...

    def claim_warnings(self, model: Model | None, blocks: HornSystem | None, until: float) -> tuple[str, ...]:
        """A line for each claim that could not be used, or that a clause does not keep and the model does not imply.

        blocks: the clauses from loop head to loop head. until: time.monotonic() to stop at.
        """
        ...

    def assertions(self) -> "tuple[Origin, ...]":
        """The positions of the queries in the input, as far as the system has them."""
        ...

    def graphs(self) -> "tuple[Graph, ...]":
        """The input as graphs, for reports."""
        ...

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        """The assumptions about parts that the input does not contain, of all runs or of that of a derivation."""
        ...

    def violated(self, derivation: Derivation) -> Check | None:
        """The check of a program that the run of the derivation violates; None for clauses."""
        ...

    def unreached(self, model: Model, until: float) -> frozenset[Check]:
        """The checks that no run reaches, as far as the model shows it. until: time.monotonic() to stop at."""
        ...

    def is_vacuous(self, model: Model, until: float) -> bool:
        """True if the model shows that no run reaches an assertion. until: time.monotonic() to stop at."""
        ...

    def variables(self) -> Mapping[str, frozenset[str]]:
        """The names that each function declares, and under "" those of variables that outlive calls."""
        ...

    def without_traps(self) -> HornSystem | None:
        """The system with all queries for what is not modelled made false; None if all is modelled.

        Clauses keep their indices, so its derivations are derivations of the system.
        """
        ...

    def dependence(self, derivation: Derivation) -> str:
        """What is not modelled, with its position, if the derivation ends there: `strtod at cJSON.c:378`; else ""."""
        ...

    def open_checks(self, derivation: Derivation) -> tuple[Check, ...]:
        """Of a derivation that depends on what is not modelled: the checks whose violation it derives, each with
        another last step; () where it ends in what is not modelled itself."""
        ...
