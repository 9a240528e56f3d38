"""k-induction on the clause graph of a linear system: base case, forward condition, step case, auxiliary invariants.

Beyer, Dangl, Wendler: Combining k-Induction with Continuously-Refined Invariants, algorithm 1.
"""

from typing import Protocol

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.horn.system import HornSystem, Predicate
from chcverify.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.walk import conjunction, conjuncts
from solvers.engine import Context, Lemma, Requirements
from solvers.unrolling.bmc import BaseCase
from solvers.unrolling.path_programs import PathPrograms
from solvers.unrolling.paths import Paths
from solvers.unrolling.strengthening import inductive_model, reachable_model, violating

ELIMINATION_MS = 2_000


class StepCase:
    """k safe states in a row, anywhere, and then a violation? Resumable in k."""

    def __init__(self, system: HornSystem, context: Context, *, simple_paths: bool = False) -> None:
        self.system = system
        self.context = context
        self.paths = Paths(system, start_anywhere=True, name="step", seed=context.seed)
        self.simple_paths = simple_paths
        self.last_model: z3.ModelRef | None = None  # of the last step case that failed
        self._safe = {p: self._safe_states(p) for p in system.predicates}

    def _safe_states(self, predicate: Predicate) -> z3.BoolRef | None:
        bad = violating(self.system, predicate, ELIMINATION_MS)
        # Without a quantifier-free form the hypothesis is left out: the step case gets harder, never wrong.
        return None if bad is None else z3.Not(bad)

    def check(self, k: int) -> z3.CheckSatResult:
        """The step case for k; unsat means that it holds. k may only grow from call to call."""
        while self.paths.depth < k:
            depth = self.paths.depth
            for predicate in self.paths.predicates(depth):
                safe = self._safe[predicate]
                if safe is not None:
                    self.paths.assert_at(predicate, depth, safe)
            self.paths.extend()
            self.paths.assert_alive()  # a step case never looks back at shorter paths
            if self.simple_paths:
                self._assert_distinct(self.paths.depth)
        # safe(s_0) & T(s_0, s_1) & ... & safe(s_{k-1}) & T(s_{k-1}, s_k) & violated(s_k)
        answer = self.paths.check(self.context.remaining(), self.paths.violated(k))
        self.last_model = self.paths.solver.model() if answer == z3.sat else None
        return answer

    def _assert_distinct(self, depth: int) -> None:
        """The simple-path constraint: the state at `depth` differs from all before it."""
        for predicate in self.paths.predicates(depth):
            here = self.paths.state(predicate, depth)
            for earlier in range(depth):
                there = self.paths.state(predicate, earlier)
                differs = z3.Or([a != b for a, b in zip(here, there, strict=True)])
                both = z3.And(self.paths.at(predicate, depth), self.paths.at(predicate, earlier))
                self.paths.solver.add(z3.Implies(both, differs))


class KInduction:
    """Engine `kind`: iterative deepening of k, fed by the lemma bus."""

    name = "kind"
    description = "k-induction with auxiliary invariants from the lemma bus (linear systems)"
    requires = Requirements(linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        return deepen(KInductionRun(system, context), context)


class Run(Protocol):
    """A run that deepens k by one per call."""

    @property
    def k(self) -> int: ...

    def advance(self) -> Result | None:
        """Tries the next k; None while the question is open."""
        ...


def deepen(run: Run, context: Context) -> Result:
    """Advances the run up to the deadline."""
    while context.remaining() > 0:
        result = run.advance()
        if result is not None:
            return result
    return Unknown(f"time limit at k = {run.k}")


class KInductionRun:
    """One run of algorithm 1: base case, forward condition, step case; resumable in k.

    Options: simple-paths=true adds the simple-path constraint, path-programs=true learns from failed step cases.
    """

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.base = BaseCase(system, context)
        self.step = StepCase(system, context, simple_paths=context.options.get("simple-paths") == "true")
        self.invariants: dict[Predicate, z3.BoolRef] = {}
        self.path_programs = PathPrograms(system, context) if context.options.get("path-programs") == "true" else None
        self.k = 0

    def advance(self) -> Result | None:
        self.k += 1
        self.context.progress("kind", {"k": self.k})
        self.context.statistics["k"] = self.k
        answer = self.base.check_next()
        if isinstance(answer, Derivation):
            return Unsafe(answer)
        if answer is not None:
            return Unknown(answer)
        if self.base.exhausted():
            model = reachable_model(self.system, self.k, self.context)
            if model:
                return Safe(model)
        if self._step_holds():
            return proved(self.system, self.k, self.invariants, self.context)
        return self._learn_from_path()

    def _learn_from_path(self) -> Result | None:
        """The path of a step case that failed not for the first time becomes a path program."""
        model = self.step.last_model
        if self.path_programs is None or model is None or self.k < 2:
            return None
        learned = self.path_programs.learn(self.step.paths.clauses(model, self.k), self.invariants)
        if isinstance(learned, Unsafe):
            return learned
        self._add(learned)
        return None

    def _step_holds(self) -> bool:
        """The step case, asked again as long as new invariants arrive (algorithm 1, lines 11 to 17)."""
        while True:
            self._receive()
            if self.step.check(self.k) == z3.unsat:
                return True
            if not self._receive():
                return False

    def _receive(self) -> bool:
        lemmas = self.context.bus.poll()
        self._add(lemmas)
        return bool(lemmas)

    def _add(self, lemmas: list[Lemma]) -> None:
        for lemma in lemmas:
            known = self.invariants.get(lemma.predicate)
            parts = [lemma.formula] if known is None else [known, lemma.formula]
            self.invariants[lemma.predicate] = conjunction(parts)
            self.step.paths.add_invariant(lemma.predicate, lemma.formula)
        self.context.statistics["invariants"] = sum(len(conjuncts(f)) for f in self.invariants.values())


def proved(system: HornSystem, k: int, invariants: dict[Predicate, z3.BoolRef], context: Context) -> Result:
    """The answer when base and step case hold for k."""
    model = inductive_model(system, k, invariants, int(1000 * context.remaining()))
    if model is None:
        return Unknown(f"{k}-inductive, but no quantifier-free inductive strengthening was found")
    return Safe(model)
