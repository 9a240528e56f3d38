"""The reachability checker: states reachable within a number of rules, by the blocking phase of PDR for any cube."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from chcverify.certificate.derivation import Derivation
from chcverify.terms.native.raw import RawSolver, Term
from solvers.pdkind.rule_paths import Step
from solvers.pdr.engine import OutOfTime, PdrSearch
from solvers.pdr.proof_obligations import ObligationQueue
from solvers.pdr.reach_facts import DerivationBuilder, ReachFact
from solvers.pdr.transition_system.frames import FrameLemma
from solvers.pdr.transition_system.transitions import INFINITY

Cube = tuple[Term, ...]


class Excluded(NamedTuple):
    """The cube (over the predicate's formals) has no fact that can be derived with `level` + 1 rules or fewer."""

    cube: Cube
    level: int


class Reachability(PdrSearch):
    """The reachability checker: may summaries (frames) and must summaries (reach facts) grow from question to question.

    Jovanovic, Dutertre: Property-directed k-induction (2016), section IV; here its frames are monotone and lemmas are
    generalised as in PDR.
    """

    def exclude(self, predicate: int, cube: Cube, level: int) -> Excluded | ReachFact:
        """A reach fact that meets the cube within the level, or a cube around it that the level excludes."""
        queue = ObligationQueue()
        root = queue.obligation(predicate, cube, level, 0)
        while queue:
            if self.out_of_time():
                raise OutOfTime
            obligation = queue.top()
            self.statistics.count("obligations")
            fact = self._expand(obligation, queue, level)
            if obligation is root and fact is not None:
                return fact
        return self._excluding(predicate, cube, level)

    def _excluding(self, predicate: int, cube: Cube, level: int) -> Excluded:
        """The highest lemma in the level's frame that excludes the cube; the shortest one of these."""
        best: FrameLemma | None = None
        for lemma in self.frames.at(predicate, level):
            better = best is None or (-lemma.level, len(lemma.cube)) < (-best.level, len(best.cube))
            if better and self._covers(lemma.cube, cube):
                best = lemma
        # Projection may lose the cube's relation to the lemma that blocked it only if z3 gives up.
        return Excluded(cube, level) if best is None else Excluded(best.cube, best.level)

    def _covers(self, large: Cube, small: Cube) -> bool:
        if self.frames.subsumes(large, small):
            return True
        # small & not large
        return self._plain.check([*small, self.problem.raw.negated_conjunction(large)]) is False

    @cached_property
    def _plain(self) -> RawSolver:
        """A solver without assertions."""
        return RawSolver(self.problem.raw, {"rlimit": self.options.rlimit})

    def advance(self, level: int) -> None:
        """Pushes lemmas to higher levels, up to the one above; what is inductive becomes an invariant."""
        closed = self.propagation.run(level)
        if closed is not None:
            for lemmas in self.frames.lemmas:
                for lemma in [lemma for lemma in lemmas if closed < lemma.level < INFINITY]:
                    if lemma.active:
                        self.frames.raise_level(lemma, INFINITY)

    def exchange(self) -> None:
        """Sends invariants to the lemma bus and takes those of others."""
        self._publish()
        self._poll()

    def finish(self) -> None:
        """Completes the statistics."""
        self._report()
        self.statistics.close()

    def invariants(self) -> list[FrameLemma]:
        """The lemmas that hold in all derivable facts."""
        lemmas = self.frames.lemmas[: self.problem.query]
        return [lemma for of_one in lemmas for lemma in of_one if lemma.level == INFINITY]

    def derivation(self, fact: ReachFact, steps: Sequence[Step]) -> Derivation:
        """The derivation of `fact` extended by the steps; the first step starts at some fact in `fact.formula`."""
        raw = self.problem.raw
        for rule, values in steps:
            point = [raw.equation(f, v) for f, v in zip(self.problem.formals[rule.head], values, strict=True)]
            fact = ReachFact(rule.head, raw.conjunction(point), rule, (fact,), values)
        return DerivationBuilder(self.problem, self.out_of_time).build(fact)
