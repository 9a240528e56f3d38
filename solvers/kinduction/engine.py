"""k-induction on the clause graph: base case, forward condition, step case, auxiliary invariants.

Beyer, Dangl, Wendler: Boosting k-induction with continuously-refined invariants (CAV 2015) [BeyerDanglWendler2015],
algorithm 1. Deviation: a k-inductive proof is turned into an inductive model (see `proved`).
"""

import math
import time
from typing import Protocol

import z3

from chcverify.certificate.model import Model
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, MOMENT_S
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction, conjuncts
from solvers.bmc.engine import BaseRun
from solvers.engine import Context, Lemma, Requirements
from solvers.kinduction.exclusion_models import excluding_model
from solvers.registry import get
from solvers.unrolling.clause_paths import Paths
from solvers.unrolling.lemma_selection import least_k, needed_invariants, strengthen
from solvers.unrolling.model_strengthening import TRUE, Formulas, inductive_model, interpolated_model, safe_states
from solvers.unrolling.tree_cases import TreeStep


class StepCase:
    """The step case of linear systems: k safe states in a row, starting anywhere, then a violation. Resumable in k."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.paths = Paths(system, start_anywhere=True, name="step", seed=context.seed)
        self.last_model: z3.ModelRef | None = None  # of the last step case that failed
        self.safe = safe_states(system, context)

    def check(self, k: int, seconds: float = math.inf) -> z3.CheckSatResult:
        """The answer to the step case for k; unsat means that it holds. k may only grow from call to call.

        seconds: limit of the query. A query without an answer can be repeated by another call.
        """
        while self.paths.depth < k:
            if self.context.remaining() <= 0:
                return z3.unknown
            depth = self.paths.depth
            for predicate in self.paths.predicates(depth):
                if predicate in self.safe:
                    self.paths.assert_at(predicate, depth, self.safe[predicate])
            self.paths.extend()
            self.paths.assert_alive()  # a step case never looks back at shorter paths
        # safe(s_0) & T(s_0, s_1) & ... & safe(s_{k-1}) & T(s_{k-1}, s_k) & violated(s_k)
        answer = self.paths.check(min(seconds, self.context.remaining()), self.paths.violated(k))
        self.last_model = self.paths.solver.model() if answer == z3.sat else None
        return answer

    def add_invariant(self, predicate: Predicate, formula: z3.BoolRef) -> None:
        """Assumes the formula, over the predicate's formals, in every state."""
        self.paths.add_invariant(predicate, formula)


class KInduction:
    """Engine `kind`: iterative deepening of k, with invariants from the lemma bus."""

    name = "kind"
    description = "k-induction with auxiliary invariants from the lemma bus"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        return deepen(KInductionRun(system, context), context)


class DeepeningRun(Protocol):
    """A run that increases k by one per call."""

    @property
    def k(self) -> int:
        """The current k."""
        ...

    def advance(self) -> Result | None:
        """Tries the next k; None while the question is open."""
        ...


def deepen(run: DeepeningRun, context: Context) -> Result:
    """Advances the run up to the deadline."""
    while context.remaining() > 0:
        result = run.advance()
        if result is not None:
            return result
    return Unknown(f"time limit at k = {run.k}")


class KInductionRun:
    """One run of algorithm 1: base case, forward condition, step case; resumable in k."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.base = BaseRun(system, context)
        self.step = StepCase(system, context) if system.is_linear else TreeStep(system, context)
        self.invariants: dict[Predicate, z3.BoolRef] = {}
        self.k = 0
        self._step_s = 0.0  # seconds that step cases have had
        self._patience = MOMENT_S
        self._ask_again = False

    def advance(self) -> Result | None:
        """The step case for the next k; before it the base case, until it has had as much time as step cases.

        Where the step case holds, the base case must catch up. A step case that takes too long is repeated with more
        time and with the lemmas that the bus has then.
        """
        result = self.base.keep_pace(self._step_s)
        if result is not None:
            return result
        if not self._ask_again:
            self.k += 1
        self.context.progress("kind", {"k": self.k})
        self.context.statistics["k"] = self.k
        start = time.monotonic()
        answer = self._step_case()
        took = time.monotonic() - start
        self._step_s += took
        self._ask_again = answer == z3.unknown and took >= self._patience
        if answer == z3.unknown:
            self._patience *= 2
        if answer != z3.unsat:
            return None
        reached = self.base.reach(self.k - 1)
        return reached or proved(self.system, self.k, self.invariants, self.step.safe, self.context)

    def _step_case(self) -> z3.CheckSatResult:
        """The answer to the step case, repeated while new invariants arrive (algorithm 1, lines 11 to 17)."""
        self._receive()
        while True:
            answer = self.step.check(self.k, self._patience)
            if answer == z3.unsat or not self._receive():
                return answer

    def _receive(self) -> bool:
        lemmas = self.context.bus.poll()
        self._add(lemmas)
        return bool(lemmas)

    def _add(self, lemmas: list[Lemma]) -> None:
        for lemma in lemmas:
            known = conjuncts(self.invariants.get(lemma.predicate, TRUE))
            seen = {part.get_id() for part in known}
            new = [part for part in conjuncts(lemma.formula) if part.get_id() not in seen]
            self.invariants[lemma.predicate] = conjunction([*known, *new])
            self.step.add_invariant(lemma.predicate, conjunction(new))
        self.context.statistics["invariants"] = sum(len(conjuncts(f)) for f in self.invariants.values())


def proved(system: HornSystem, k: int, invariants: Formulas, safe: Formulas, context: Context) -> Result:
    """The answer when base and step case hold for k.

    safe: the states that the step case assumed.
    """
    if system.is_linear:
        k = least_k(system, k, invariants, safe, context)
        selecting = context.first(EARLY_SHARE)
        invariants = needed_invariants(system, k, invariants, safe, selecting)
    return model_of_proof(system, k, invariants, safe, context)


def model_of_proof(system: HornSystem, k: int, invariants: Formulas, safe: Formulas, context: Context) -> Result:
    """The answer for the least k that is known, and the invariants that the proof needs.

    Four methods turn the proof into a model, the one that is mostly fastest first: quantifier elimination,
    interpolation, exclusion of projections, and PDR within the invariants.
    """
    model: Model | None = None
    if system.is_linear:
        model = inductive_model(system, k, invariants, context.first(EQUAL_SHARE))
    if model is None:
        interpolating = context.first(EQUAL_SHARE)
        model = interpolated_model(system, k, invariants, safe, interpolating)
    if model is None and system.is_linear:
        model = excluding_model(system, invariants, context.first(EQUAL_SHARE))
    if model is not None:
        return Safe(model)
    known = {p: invariants.get(p, TRUE) for p in system.predicates}
    alone = Context(context.deadline, context.seed)
    result = get("pdr").solve(strengthen(system, known), alone)
    if isinstance(result, Safe):
        return Safe(Model({p: conjunction([formula, result.model[p]]) for p, formula in known.items()}))
    return Unknown(f"{k}-inductive, but no inductive strengthening was found")
