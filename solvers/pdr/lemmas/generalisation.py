"""Inductive generalisation of blocked cubes."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from chcverify.effort import MAX_TRIED
from chcverify.terms.native.raw import RawModel, Term
from solvers.pdr.lemmas.bitvector_literals import BitLiterals
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.pdr_statistics import Statistics
from solvers.pdr.transition_system.rule_system import RuleSystem
from solvers.pdr.transition_system.transitions import INFINITY

Blocked = tuple[list[Term], int]


class Generalizer:
    """Generalises a blocked cube to a smaller one that is still blocked at the level, or at a higher one."""

    def __init__(self, problem: RuleSystem, frames: Frames, options: PdrOptions, statistics: Statistics) -> None:
        self.problem, self.frames, self.options, self.statistics = problem, frames, options, statistics
        self.bits = BitLiterals(problem.raw)
        self._uses = [Counter[Term]() for _ in problem.names]

    def generalise(self, predicate: int, blocked: Blocked, wanted: int) -> Blocked:
        """All generalisations that are switched on, one after the other; the result holds at least at level `wanted`.

        An invariant with many literals is worth less than a small lemma, which may be pushed up to infinity later.
        """
        cube, level = blocked
        if self.options.inductive:
            smaller, lower = self.drop_literals(predicate, cube, wanted if level == INFINITY else level)
            if len(smaller) < len(cube):
                cube, level = smaller, lower
        if self.options.weaken and level < INFINITY:
            cube, level = self._split_equalities(predicate, cube, level)
        if self.options.relate and level < INFINITY:
            cube, level = self._relate_values(predicate, cube, level)
        self._uses[predicate].update(cube)
        return cube, level

    def _relate_values(self, predicate: int, cube: Sequence[Term], level: int) -> Blocked:
        """Replaces x = 3 & y = 3 by x = y where that is enough: one lemma for all values."""
        best, best_level = list(cube), level
        for left, right in combinations(cube, 2):
            if left not in best or right not in best or not self._pays("relate"):
                continue
            same = self._same(left, right)
            if same is None:
                continue
            self.statistics.count("relate tried")
            rest = [literal for literal in best if literal not in (left, right)]
            answer = self.frames.transitions[predicate].blocked(level, [*rest, same], with_model=False)
            if answer is not None:
                self.statistics.count("relate done")
                best, best_level = answer
        return best, best_level

    def _same(self, left: Term, right: Term) -> Term | None:
        """The literal x = y for x = 3 and y = 3; None for literals of another shape."""
        arithmetic = self.problem.arithmetic
        one, two = arithmetic.read(left), arithmetic.read(right)
        if one is None or two is None or (one.relation, two.relation) != ("=", "="):
            return None
        if len(one.terms) > 1 or len(two.terms) > 1 or one.bound != two.bound or one.is_int != two.is_int:
            return None
        equal = arithmetic.normal({one.terms[0][0]: Fraction(1), two.terms[0][0]: Fraction(-1)}, "=", Fraction(0))
        return None if equal is None else arithmetic.build(equal)

    def _split_equalities(self, predicate: int, cube: Sequence[Term], level: int) -> Blocked:
        """Replaces bit-vector equalities by bounds or bits, where not all of these are needed."""
        best, best_level = list(cube), level
        for literal in cube:
            for parts in self.bits.refinements(literal):
                answer = self.frames.transitions[predicate].blocked(
                    best_level, [*(b for b in best if b != literal), *parts], with_model=False
                )
                if answer is not None and not set(parts) <= set(answer[0]):
                    self.statistics.count("equalities split")
                    best, best_level = self.drop_literals(predicate, *answer)
                    break
        return best, best_level

    def drop_literals(self, predicate: int, cube: Sequence[Term], level: int) -> Blocked:
        """Drops literals while the rest stays blocked relative to itself; unsat cores drop more at once.

        Bradley: SAT-based model checking without unrolling (VMCAI 2011) [Bradley2011], with a bound on failures as in
        Spacer. Literals that few lemmas have are tried first.
        """
        transition = self.frames.transitions[predicate]
        best, best_level = list(cube), level
        failures = 0
        uses = self._uses[predicate]
        for literal in sorted(cube, key=lambda literal: uses[literal]) if self.options.order else cube:
            if literal not in best:
                continue
            if failures >= self.options.drop_failures:
                break
            rest = [other for other in best if other != literal]
            self.statistics.count("drop tried")
            weakens = self.options.weaken and self._can_weaken(literal)
            answer = transition.blocked(level, rest, with_model=weakens)
            if answer is None and weakens:
                answer = self._weaken(predicate, best, literal, best_level)
            if answer is None:
                failures += 1
            else:
                best, best_level = answer
                self.statistics.count("drop done")
        return best, best_level

    def _weaken(self, predicate: int, cube: Sequence[Term], literal: Term, level: int) -> Blocked | None:
        """A blocked cube with a weaker literal instead of the one that could not be dropped, or None.

        Tries up to three literals that it implies and that the last counterexample does not satisfy.
        """
        transition = self.frames.transitions[predicate]
        for _ in range(3):
            model = transition.counterexample
            weaker = None if model is None else self._weaker(literal, model)
            if weaker is None:
                return None
            kind = self._kind(literal)
            self.statistics.count(f"{kind} tried")
            answer = transition.blocked(level, [weaker if other == literal else other for other in cube])
            if answer is not None:
                self.statistics.count(f"{kind} done")
                return answer
        return None

    def _can_weaken(self, literal: Term) -> bool:
        """True if the literal has weaker ones and weakening of its kind has succeeded often enough so far."""
        form = self.problem.arithmetic.read(literal)
        if form is None or not (form.relation == "=" or (form.relation == "<=" and form.is_int)):
            return False
        return self._pays(self._kind(literal))

    def _pays(self, kind: str) -> bool:
        """True if there were few attempts of this kind so far, or one of twenty has succeeded."""
        counts = self.statistics.counts
        return counts[f"{kind} tried"] < MAX_TRIED or 20 * counts[f"{kind} done"] >= counts[f"{kind} tried"]

    def _kind(self, literal: Term) -> str:
        form = self.problem.arithmetic.read(literal)
        return "unequal" if form is not None and form.relation == "=" else "weaken"

    def _weaker(self, literal: Term, model: RawModel) -> Term | None:
        """A literal that the given one implies and that is false in the model; None if there is none.

        A bound moves until the model is just outside; x = 3 becomes: x differs from its value in the model.
        """
        arithmetic, raw = self.problem.arithmetic, self.problem.raw
        form = arithmetic.read(literal)
        assert form is not None
        number = model.eval(arithmetic.sum_term(form.terms))
        if not raw.is_numeral(number):  # an algebraic number
            return None
        value = raw.value(number)
        if form.relation == "=":
            return raw.negate(arithmetic.build(form._replace(bound=value))) if value != form.bound else None
        return arithmetic.build(form._replace(bound=value - 1)) if value - 1 > form.bound else None
