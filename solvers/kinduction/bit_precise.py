"""Engine `kind-bits`: k-induction whose base and step cases are bounded systems of their own, for the engine `bounded`.

A layered system has a predicate P@i for each predicate P and each number i of clauses before it. It has no loops: the
engine `bounded` merges the states of each P@i, makes one formula of it, and lets solvers for bits look at it.
"""

import time
from collections.abc import Iterator
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjunction
from solvers.engine import Context, Requirements
from solvers.kinduction.engine import model_of_proof
from solvers.registry import get
from solvers.unrolling.model_strengthening import TRUE, Formulas, cumulative, safe_states, to_layer


@dataclass(frozen=True)
class BitPreciseTuning:
    """first_query_s: of a question, which gets twice as much each time it is left open. steepness: of the sequence of
    k, each of which is that much larger than the one before, and at least by one. Chosen by hand."""

    first_query_s: float = 2.0
    steepness: float = 1.4


TUNING = BitPreciseTuning()


class BitPreciseKInduction:
    """k-inductive systems get the model that the proof determines; violations are those of the base cases."""

    name = "kind-bits"
    description = "k-induction with one formula for each base and step case, decided by solvers for bits"
    requires = Requirements(linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        run = BitPreciseRun(system, context)
        while context.remaining() > 0:
            result = run.advance()
            if result is not None:
                return result
        return Unknown(f"time limit at k = {run.k}")


class BitPreciseRun:
    """Larger and larger k. Invariants from the bus strengthen the step cases."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.safe = safe_states(system, context)
        self.invariants: dict[Predicate, list[z3.BoolRef]] = {}
        self.k = 0
        self._patience_s = TUNING.first_query_s

    def advance(self) -> Result | None:
        """The base case for the next k, then the step case; None if neither gives an answer."""
        self.k = max(self.k + 1, int(self.k * TUNING.steepness))
        self.context.statistics["k"] = self.k
        self.context.progress("kind", {"k": self.k})
        layers = base_case(self.system, self.k)
        base = self._ask(layers.system)
        if isinstance(base, Unsafe):
            return Unsafe(layers.original(base.derivation))
        for lemma in self.context.bus.poll():
            self.invariants.setdefault(lemma.predicate, []).append(lemma.formula)
        known = {predicate: conjunction(formulas) for predicate, formulas in self.invariants.items()}
        if not isinstance(base, Safe):
            return None
        if not isinstance(self._ask(step_case(self.system, self.k, known, self.safe)), Safe):
            return None
        return model_of_proof(self.system, self.k, known, self.safe, self.context)

    def _ask(self, layered: HornSystem) -> Result:
        """What the engine `bounded` makes of it."""
        begin = time.monotonic()
        deadline = min(self.context.deadline, begin + self._patience_s)
        found = get("bounded").solve(layered, Context(deadline, self.context.seed))
        if isinstance(found, Unknown) and time.monotonic() - begin >= self._patience_s / 2:
            self._patience_s *= 2
        return found


@dataclass(frozen=True, eq=False)
class LayeredSystem:
    """clauses: for each clause of the system the number of the one that it is a copy of."""

    system: HornSystem
    clauses: tuple[int, ...]

    def original(self, derivation: Derivation) -> Derivation:
        """The derivation in the system whose layers these are."""
        steps = []
        for step in derivation.steps:
            assert isinstance(step, Step)
            steps.append(replace(step, clause=self.clauses[step.clause]))
        return Derivation(tuple(steps))


def base_case(system: HornSystem, k: int) -> LayeredSystem:
    """Safe if no query is violated after fewer than k clauses.

    fact => head@0;  body@i & constraint => head@(i+1);  body@i & constraint => false
    """
    found = [(number, clause) for number, original in enumerate(system.clauses) for clause in _copies(original, k)]
    return LayeredSystem(HornSystem.of([clause for _, clause in found]), tuple(number for number, _ in found))


def _copies(clause: Clause, k: int) -> Iterator[Clause]:
    layers = range(-1, 0) if not clause.body else range(k if clause.head is None else k - 1)
    for i in layers:
        head: Application | None = None if clause.head is None else to_layer(clause.head, i + 1)
        yield replace(clause, head=head, body=tuple(to_layer(atom, i) for atom in clause.body))


def step_case(system: HornSystem, k: int, invariants: Formulas, safe: Formulas) -> HornSystem:
    """Safe if after k states in a row within the invariants and `safe` no query is violated.

    For i < k: body@i & invariants(body) & safe(body) & constraint => head@(i+1), where body@0 is any state;
    body@k & invariants(body) & constraint => false
    """
    first = {p: conjunction([invariants.get(p, TRUE), safe.get(p, TRUE)]) for p in system.predicates}
    return HornSystem.of(list(cumulative(system, k, invariants, first)))
