"""Propagation of lemmas to higher levels."""

from chcverify.terms.native.raw import RawModel
from solvers.pdr.transition_system.frames import FrameLemma, Frames
from solvers.pdr.transition_system.pdr_statistics import Statistics
from solvers.pdr.transition_system.rule_system import RuleSystem
from solvers.pdr.transition_system.transitions import INFINITY


class Propagation:
    """Pushes lemmas; a failed attempt keeps its model, and is not repeated while the model is still allowed."""

    def __init__(self, problem: RuleSystem, frames: Frames, statistics: Statistics) -> None:
        self.problem, self.frames, self.statistics = problem, frames, statistics

    def run(self, top: int) -> int | None:
        """Pushes from the lowest changed level up to F_(top+1).

        Returns a level whose delta is empty, which makes the frame above it inductive, or None.
        """
        start = self.frames.take_changed()
        for level in range(min(start, top), top + 1):
            for lemma in self.frames.exactly(level):
                if lemma.active:
                    self.push(lemma)
            if not self.frames.exactly(level):
                return level
        return None

    def push(self, lemma: FrameLemma) -> bool:
        """Raises the lemma as far above its level as one query justifies."""
        if lemma.obstacle is not None and self._still_allowed(lemma, lemma.obstacle):
            self.statistics.count("push cached")
            return False
        self.statistics.count("push tried")
        level = self._justified(lemma)
        if level is None:
            return False
        self.statistics.count("push done")
        self.frames.raise_level(lemma, level)
        if level == INFINITY:
            self.statistics.count("invariants")
        return True

    def _justified(self, lemma: FrameLemma) -> int | None:
        """A higher level at which the lemma holds; None, with the obstacle kept, if there is none."""
        transition = self.frames.transitions[lemma.predicate]
        solver = transition.solver
        solver.push()
        try:
            transition.assume_absent(lemma.cube)
            # F_level(bodies) & lemma(bodies) & some rule & not lemma
            answer = solver.check([*transition.frame(lemma.level + 1), *lemma.cube])
            if answer is False:
                return transition.core(lemma.cube)[1]
            lemma.obstacle = solver.model() if answer else None
            return None
        finally:
            solver.pop()

    def _still_allowed(self, lemma: FrameLemma, model: RawModel) -> bool:
        """True if the frames at the lemma's level still admit the body facts of the model."""
        rule = self.frames.transitions[lemma.predicate].rule_of(model)
        return all(
            model.holds(block.to_body(other.formula))
            for block in rule.body
            for other in self.frames.at(block.predicate, lemma.level)
        )
