"""Delta-encoded frames: each lemma is kept at the highest level at which it was proved; subsumed lemmas are removed."""

from collections.abc import Iterable, Sequence
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.raw import RawModel, Term
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.rule_system import RuleSystem
from solvers.pdr.transition_system.transitions import INFINITY, TransitionSolver


@dataclass(eq=False, slots=True)
class FrameLemma:
    """A cube over the predicate's formals is unreachable within a level."""

    predicate: int
    cube: tuple[Term, ...]
    formula: Term
    """The negation of the cube."""
    level: int
    """INFINITY: the lemma is an invariant."""
    obstacle: RawModel | None = None
    """The model of the last attempt to push the lemma to the next level."""
    active: bool = True
    tags: set[str] = field(default_factory=set)


class Frames:
    """The lemmas of all predicates, and their copies in the solvers that need them."""

    def __init__(self, problem: RuleSystem, options: PdrOptions, seed: int) -> None:
        self.problem = problem
        self.transitions = [TransitionSolver(problem, p, options, seed) for p in range(len(problem.names))]
        self.lemmas: list[list[FrameLemma]] = [[] for _ in problem.names]
        self.created = 0
        self.changed = INFINITY  # the lowest level that has changed since `take_changed`

    def add(self, predicate: int, cube: Sequence[Term], level: int, formula: Term | None = None) -> FrameLemma | None:
        """Adds not cube at the level; returns None if an existing lemma is at least as strong."""
        if formula is None:
            formula = self.problem.raw.negated_conjunction(cube)
        old = self.lemmas[predicate]
        if any(lemma.level >= level and self.subsumes(lemma.cube, cube) for lemma in old):
            return None
        self._retire(old, cube, level)
        lemma = FrameLemma(predicate, tuple(cube), formula, level)
        self.created += 1
        self.lemmas[predicate] = [other for other in old if other.active] + [lemma]
        self._broadcast(lemma)
        return lemma

    def raise_level(self, lemma: FrameLemma, level: int) -> None:
        """Moves the lemma to a higher level at which it was proved."""
        self.changed = min(self.changed, lemma.level)
        lemma.level, lemma.obstacle = level, None
        self._retire([other for other in self.lemmas[lemma.predicate] if other is not lemma], lemma.cube, level)
        self.lemmas[lemma.predicate] = [other for other in self.lemmas[lemma.predicate] if other.active]
        self._broadcast(lemma)

    def _retire(self, lemmas: Iterable[FrameLemma], cube: Sequence[Term], level: int) -> None:
        """The lemmas that a lemma for the cube at the level makes redundant become inactive."""
        for lemma in lemmas:
            if lemma.level <= level and self.subsumes(cube, lemma.cube):
                lemma.active = False
                self.changed = min(self.changed, lemma.level)

    def _broadcast(self, lemma: FrameLemma) -> None:
        self.changed = min(self.changed, lemma.level)
        for reader, block in self.problem.readers[lemma.predicate]:
            self.transitions[reader].add_lemma(block, lemma.formula, lemma.level)

    def subsumes(self, small: Sequence[Term], large: Sequence[Term]) -> bool:
        """True if syntax shows that all facts of the large cube lie in the small one (fewer or weaker literals)."""
        if len(small) > len(large):
            return False
        implies = self.problem.arithmetic.implies
        members = set(large)
        return all(weak in members or any(implies(strong, weak) for strong in large) for weak in small)

    def at(self, predicate: int, level: int) -> Iterable[FrameLemma]:
        """The lemmas of the frame F_level, which are those of this level and above."""
        return (lemma for lemma in self.lemmas[predicate] if lemma.level >= level)

    def exactly(self, level: int) -> list[FrameLemma]:
        """The lemmas whose highest level is this one."""
        return [lemma for lemmas in self.lemmas for lemma in lemmas if lemma.level == level]

    def take_changed(self) -> int:
        """The lowest level that has changed since the last call."""
        level, self.changed = self.changed, INFINITY
        return level
