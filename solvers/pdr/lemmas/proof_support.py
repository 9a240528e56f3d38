"""A model with fewer conjuncts: the lemmas that the safety proof uses, computed backwards from the query.

The cores of the refutations are an inductive support: Bradley, Somenzi, Hassan, Zhang: An incremental approach to model
checking progress properties (FMCAD 2011), section 4, has the idea for invariants in general.
"""

from collections.abc import Callable, Sequence

from chcverify.terms.native.raw import RawError, Term
from solvers.pdr.transition_system.frames import FrameLemma
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.rule_system import RuleSystem
from solvers.pdr.transition_system.transitions import SolverAnsweredUnknown, TransitionSolver


class ProofSupport:
    """The needed lemmas of an inductive, safe set. Each lemma gets a level of its own, so that cores identify it."""

    EVERYTHING = 1  # a level whose frame holds all lemmas

    def __init__(
        self, problem: RuleSystem, lemmas: Sequence[FrameLemma], options: PdrOptions, out_of_time: Callable[[], bool]
    ):
        self.problem, self.lemmas, self.options, self.out_of_time = problem, lemmas, options, out_of_time
        self._transitions: dict[int, TransitionSolver] = {}

    def find(self) -> list[FrameLemma]:
        """An inductive, safe part of the lemmas; all of them if z3 or the time does not allow to find one."""
        needed: dict[int, None] = {}
        todo: list[tuple[int, tuple[Term, ...]]] = [(self.problem.query, ())]
        try:
            while todo:
                used = self._used(*todo.pop(), needed)
                if used is None or self.out_of_time():
                    return list(self.lemmas)
                todo.extend((self.lemmas[i].predicate, self.lemmas[i].cube) for i in used if i not in needed)
                needed.update(dict.fromkeys(used))
        except (SolverAnsweredUnknown, RawError):
            return list(self.lemmas)
        return [self.lemmas[i] for i in sorted(needed)]

    def _used(self, predicate: int, cube: Sequence[Term], needed: dict[int, None]) -> list[int] | None:
        """The lemmas on the bodies that exclude the predicate's facts from the cube; None if all lemmas do not."""
        transition = self._transition(predicate)
        literals = [literal for i, literal in transition.levels.items() if i in needed]
        # needed lemmas(bodies) & some rule & cube; then with all lemmas
        if transition.solver.check([*literals, *cube]) is not False:
            literals = transition.frame(self.EVERYTHING)
            if transition.check(self.EVERYTHING, cube):
                return None
        while True:
            core = set(transition.solver.core())
            used = [literal for literal in literals if literal in core]
            # the core's lemmas(bodies) & some rule & cube
            if len(used) == len(literals) or transition.solver.check([*used, *cube]) is not False:
                return [transition.level_of[literal] for literal in used]
            literals = used

    def _transition(self, predicate: int) -> TransitionSolver:
        known = self._transitions.get(predicate)
        if known is None:
            known = self._transitions[predicate] = TransitionSolver(self.problem, predicate, self.options, 0)
            for i, lemma in enumerate(self.lemmas):
                for reader, block in self.problem.readers[lemma.predicate]:
                    if reader == predicate:
                        known.add_lemma(block, lemma.formula, i)
        return known
