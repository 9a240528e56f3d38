"""One phase of property-directed k-induction: an induction frame at n is pushed to n + 1.

Jovanovic, Dutertre: Property-directed k-induction (FMCAD 2016) [JovanovicDutertre2016], algorithm 4 and section V.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from chcverify.effort import FEW
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.raw import RawModel
from solvers.pdkind.pdkind_tuning import PDKIND_TUNING
from solvers.pdkind.reachability import Cube, Reachability
from solvers.pdkind.rule_paths import InductionStepCase
from solvers.pdr.reach_facts import ReachFact
from solvers.pdr.transition_system.transitions import INFINITY

Clause = tuple[int, Cube]  # a predicate and a cube that its facts avoid


@dataclass(frozen=True, eq=False)
class Element:
    """lemma: the clauses; they exclude the states `cex` of the predicate, which lead to the query.

    From each of the states, `steps` rules lead to the counterexample of `towards` (None: they are the query). Without
    clauses the element is postponed: whether the states are reachable is open.
    """

    lemma: tuple[Clause, ...]
    predicate: int
    cex: Cube
    steps: int = 0
    towards: "Element | None" = None
    distance: int = 0  # rules to the query


class InductionFrame(NamedTuple):
    """The result of a push. elements: an induction frame at the next level. closed: they are k-inductive together."""

    elements: list[Element]
    closed: bool


class Violation(NamedTuple):
    """A reach fact that meets the element's counterexample."""

    fact: ReachFact
    element: Element


class Push:
    """One push of an induction frame (algorithm 4).

    F is the set of clauses that the step case assumes; it grows, so clauses that were k-inductive relative to it remain
    so.
    """

    def __init__(
        self, reachability: Reachability, case: InductionStepCase, level: int, elements: Sequence[Element]
    ) -> None:
        self.reachability, self.case, self.level = reachability, case, level
        self.raw = reachability.problem.raw
        self.statistics = reachability.statistics
        self._assumed: set[tuple[int, Cube]] = set()
        self._pushed: set[Clause] = set()
        self._queue: list[Element] = []
        self._next: list[Element] = []
        self._closed = True
        for element in elements:
            self._enter(element)
        self._queue.reverse()

    def assume(self, clauses: Iterable[Clause]) -> None:
        """Adds the clauses to F."""
        for clause in clauses:
            if clause not in self._assumed:
                self._assumed.add(clause)
                self.case.assume(clause[0], self.raw.negated_conjunction(clause[1]))

    def run(self, check_time: Callable[[], None]) -> InductionFrame | Violation:
        """Pushes all elements: the next frame, or a violation. check_time raises when the time is over."""
        while self._queue:
            check_time()
            element = self._queue.pop()
            if not element.lemma:
                violation = self._exclude(element)
                if violation is not None:
                    return violation
                continue
            failed = self._failure(element)
            if failed is None:
                self.statistics.count("lemmas pushed")
                self._next.append(element)
                continue
            violation = self._repair(element, *failed)
            if violation is not None:
                return violation
        return InductionFrame(self._next, self._closed)

    def _enter(self, element: Element) -> None:
        self.assume(element.lemma)
        self._queue.append(element)

    def _failure(self, element: Element) -> tuple[Clause, RawModel] | None:
        """A clause of the lemma that is not k-inductive relative to F, and a path that shows it."""
        for clause in element.lemma:
            if clause not in self._pushed:
                model = self.case.counterexample(*clause)
                if model is not None:
                    return clause, model
                self._pushed.add(clause)
        return None

    def _repair(self, element: Element, failed: Clause, path: RawModel) -> Violation | None:
        """Strengthens F so that the failed clause follows, or gives the lemma up."""
        excluded = (element.predicate, element.cex)
        to_cex = path if failed == excluded else self.case.counterexample(*excluded)
        if to_cex is not None:
            return self._oblige(element, *self.case.before(to_cex, *excluded))
        # F excludes the counterexample in the next frame, too, so only the lemma needs strengthening.
        if len(element.lemma) > PDKIND_TUNING.max_strengthenings + self.level:
            return self._give_up(element)
        predicate, cti = self.case.before(path, *failed)
        answer = self.reachability.exclude(predicate, cti, self.level)
        if isinstance(answer, ReachFact):
            self.statistics.count("lemmas given up")
            return self._give_up(element)
        self.statistics.count("lemmas strengthened")
        clause = (predicate, answer.cube)
        if answer.level == INFINITY:
            self.assume([clause])
            self._queue.append(element)
        else:
            self._enter(replace(element, lemma=(*element.lemma, clause)))
        return None

    def _give_up(self, element: Element) -> Violation | None:
        """Replaces the lemma by one for the next level, or returns a violation.

        Deviation: the paper takes the counterexample's negation; this lemma is more general.
        """
        self._closed = False
        answer = self.reachability.exclude(element.predicate, element.cex, self.level + 1)
        if isinstance(answer, ReachFact):
            return Violation(answer, element)
        self._next.append(replace(element, lemma=((element.predicate, answer.cube),)))
        return None

    def _oblige(self, element: Element, predicate: int, cex: Cube) -> Violation | None:
        """Excludes the states from which k rules lead to the element's counterexample, before the element itself."""
        before = Element((), predicate, cex, self.case.k, element, element.distance + self.case.k)
        if before.distance > self.level + self.case.k + FEW:
            # Chains of counterexamples can be infinite; the next frame looks further.
            self.statistics.count("elements postponed")
            self._closed = False
            self._next.append(replace(element, lemma=()))
            return None
        self._queue.append(element)
        return self._exclude(before)

    def _exclude(self, element: Element) -> Violation | None:
        """Finds a lemma for an element that has none."""
        self.statistics.count("counterexamples")
        answer = self.reachability.exclude(element.predicate, element.cex, self.level)
        if isinstance(answer, ReachFact):
            return Violation(answer, element)
        clause = (element.predicate, answer.cube)
        if answer.level == INFINITY:
            self.assume([clause])
        else:
            self._enter(replace(element, lemma=(clause,)))
        return None
