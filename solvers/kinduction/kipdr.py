"""k-induction with property direction: failed step cases become proof obligations.

Beyer, Dangl: Software verification with PDR (TACAS 2020) [BeyerDangl2020], algorithm 1 with pd = true. The property
itself is one obligation; each obligation is a set of states C of one predicate that is to be unreachable, and is
checked by k-induction on the system whose only query is C. A proved obligation becomes, in inductive form, an invariant
for all others and is published.
"""

import time
from dataclasses import field

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMPARED, QUESTION_MS, QUESTION_S
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Unknown
from chcverify.terms.core.traversal import conjunction, free_variables
from chcverify.terms.quantifiers.elimination import eliminate
from chcverify.terms.quantifiers.implicants import implicant
from solvers.bmc.engine import BaseCase, BaseRun
from solvers.engine import Context, Lemma, Requirements
from solvers.kinduction.engine import StepCase, deepen, proved
from solvers.unrolling.model_strengthening import inductive_model


@dataclass(eq=False)
class StepObligation:
    """An obligation to show that the states `cube` of `predicate` are unreachable; both cases are resumable."""

    predicate: Predicate
    cube: tuple[z3.BoolRef, ...]
    system: HornSystem
    base: BaseCase
    step: StepCase
    known: int = field(default=0)  # number of invariants that its step case has


class KiPdr:
    """Engine `kipdr`: as main engine, and on the bus as generator of invariants for others."""

    name = "kipdr"
    description = "property-directed k-induction: obligations from counterexamples to induction (linear systems)"
    requires = Requirements(linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        if not system.is_linear:
            return Unknown("property-directed k-induction takes linear clauses only")
        return deepen(KiPdrRun(system, context), context)


class KiPdrRun:
    """One run: the property's base and step case, the open obligations, and the invariants proved so far."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.base = BaseRun(system, context)
        self.step = StepCase(system, context)
        self.invariants: list[tuple[Predicate, z3.BoolRef]] = []
        self.property_known = 0
        self.rules = tuple(clause for clause in system.clauses if not clause.is_query)
        self.open: list[StepObligation] = []
        self.k = 0
        self._rest_s = 0.0  # seconds that step cases and obligations have had

    def advance(self) -> Result | None:
        """One major iteration of algorithm 1, with the next k; None while the question is open."""
        self.k += 1
        self.context.progress("kipdr", {"k": self.k, "obligations": len(self.open)})
        self.context.statistics.update(k=self.k, invariants=len(self.invariants))
        result = self.base.keep_pace(self._rest_s)
        if result is not None:
            return result
        start = time.monotonic()
        holds = self._property_holds()
        self._rest_s += time.monotonic() - start
        if not holds:
            return None
        result = self.base.reach(self.k - 1)
        return result or proved(self.system, self.k, self._known_invariants(), self.step.safe, self.context)

    def _property_holds(self) -> bool:
        """The obligations' turns, and then the property's step case, which may leave a new obligation."""
        self._receive()
        previous, self.open = self.open, []
        for obligation in previous[-MAX_COMPARED:]:
            if self.context.remaining() <= 0:
                break
            self._try(obligation, self.k)
        self._assert_lemmas(self.step, self.property_known)
        self.property_known = len(self.invariants)
        if self.step.check(self.k, QUESTION_S) == z3.unsat:
            return True
        self._oblige(self.step, self.k)
        return False

    def _try(self, obligation: StepObligation, k: int) -> None:
        """Base and step case of an obligation; success adds an invariant, failure a new obligation before it."""
        if not self._base_holds(obligation, k):
            return  # its states are reachable: the property's own base case finds the violation a little deeper
        if self._step_holds(obligation, k):
            self._learn(obligation, obligation.step.paths.depth)
            return
        for part in weakenings(obligation.cube):
            if self.context.remaining() <= 0:
                return
            candidate = self._obligation(obligation.predicate, part)
            if self._base_holds(candidate, k) and self._step_holds(candidate, 1):
                self._learn(candidate, 1)
                return
        self._oblige(obligation.step, k)

    def _step_holds(self, obligation: StepObligation, k: int) -> bool:
        """The step case for some k up to the given one; a small one gives a simple invariant, so it is tried first."""
        self._assert_lemmas(obligation.step, obligation.known)
        obligation.known = len(self.invariants)
        while obligation.step.paths.depth < k and self.context.remaining() > 0:
            if obligation.step.check(obligation.step.paths.depth + 1, QUESTION_S) == z3.unsat:
                return True
        return False

    def _base_holds(self, obligation: StepObligation, k: int) -> bool:
        while obligation.base.checked < k - 1:
            if obligation.base.check_next(QUESTION_S) is not None:
                return False
        return True

    def _learn(self, obligation: StepObligation, k: int) -> None:
        """Strengthens by dropping literals of the cube while base and step case still hold, then publishes."""
        for literal in obligation.cube if len(obligation.cube) <= MAX_COMPARED else ():
            fewer = tuple(part for part in obligation.cube if not part.eq(literal))
            if not fewer or len(obligation.cube) == 1 or self.context.remaining() <= 0:
                break
            weaker = self._obligation(obligation.predicate, fewer)
            self._assert_lemmas(weaker.step, 0)
            if self._base_holds(weaker, k) and weaker.step.check(k, QUESTION_S) == z3.unsat:
                obligation = weaker
        model = inductive_model(obligation.system, k, self._known_invariants(), self.context)
        if model is None:
            return
        lemmas = []
        for predicate, formula in model.interpretations.items():
            if not z3.is_true(formula):
                lemmas.append(Lemma(predicate, formula, "kipdr"))
        self.invariants.extend((lemma.predicate, lemma.formula) for lemma in lemmas)
        self.context.bus.publish(lemmas)

    def _oblige(self, step: StepCase, k: int) -> None:
        """Makes the next obligation after a failed step case for k: the set to which its first state is lifted."""
        if step.last_model is None:
            return
        found = lift(step, k)
        if found is not None:
            self.open.append(self._obligation(*found))

    def _obligation(self, predicate: Predicate, cube: tuple[z3.BoolRef, ...]) -> StepObligation:
        query = Clause(None, (predicate(*predicate.formals),), conjunction(cube))
        system = HornSystem(self.system.predicates, (*self.rules, query))
        return StepObligation(predicate, cube, system, BaseCase(system, self.context), StepCase(system, self.context))

    def _assert_lemmas(self, step: StepCase, known: int) -> None:
        for predicate, formula in self.invariants[known:]:
            step.paths.add_invariant(predicate, formula)

    def _receive(self) -> None:
        for lemma in self.context.bus.poll():
            self.invariants.append((lemma.predicate, lemma.formula))

    def _known_invariants(self) -> dict[Predicate, z3.BoolRef]:
        table: dict[Predicate, list[z3.BoolRef]] = {}
        for predicate, formula in self.invariants:
            table.setdefault(predicate, []).append(formula)
        return {predicate: conjunction(parts) for predicate, parts in table.items()}


def weakenings(cube: tuple[z3.BoolRef, ...]) -> list[tuple[z3.BoolRef, ...]]:
    """Larger sets of states to try when the cube itself is not inductive: single literals, and all but one literal."""
    if not 1 < len(cube) <= MAX_ALTERNATIVES:
        return []
    singles = [(literal,) for literal in cube]
    return singles + ([cube[:i] + cube[i + 1 :] for i in range(len(cube))] if len(cube) > 2 else [])


def lift(step: StepCase, k: int) -> tuple[Predicate, tuple[z3.BoolRef, ...]] | None:
    """From one counterexample to induction to a cube of them, at the first predicate of the path.

    All states of the cube reach a violation along the same clauses (section 3.1 of the paper: every state in the
    lifted set is a counterexample), since the cube implies `exists the rest. the path's constraints`.
    """
    model = step.last_model
    assert model is not None
    path = step.paths.path(model, k)
    if path is None:
        return None
    predicate, state, constraint = path
    own = {variable.get_id() for variable in state}
    rest = [variable for variable in free_variables(constraint) if variable.get_id() not in own]
    pairs = list(zip(state, predicate.formals, strict=True))
    # exists rest. constraint
    projected = eliminate(rest, constraint, QUESTION_MS)
    literals = None if projected is None else implicant(projected, model)
    if literals is None:
        literals = [variable == model.eval(variable, model_completion=True) for variable in state]
    cube = tuple(z3.simplify(z3.substitute(literal, pairs)) for literal in literals)
    return predicate, cube or (z3.BoolVal(True),)
