"""A proof-producing copy of a transition's solver, used only for refutations that may give an interpolant.

Proofs are a property of a whole z3 context and slow every check by a third or more; few refutations need them.
"""

from collections.abc import Sequence

from chcverify.effort import LONG_QUESTION_RESOURCES
from chcverify.terms.native.farkas_proofs import FarkasLemma, farkas_lemmas
from chcverify.terms.native.raw import Raw, RawSolver, Term


class ProofProducingCopy:
    """Follows `permanent`, the assertions of the original solver, whenever it is asked."""

    def __init__(self, raw: Raw, proofs: Raw, permanent: Sequence[Term]) -> None:
        self.raw, self.proofs, self.permanent = raw, proofs, permanent
        self._solver = RawSolver(proofs, {"arith.solver": 2, "rlimit": LONG_QUESTION_RESOURCES})
        self._position = 0
        self._there: dict[Term, Term] = {}

    def farkas(self, assumptions: Sequence[Term]) -> list[FarkasLemma]:
        """The Farkas lemmas of a refutation of the assumptions; [] if the copy finds no refutation."""
        for formula in self.permanent[self._position :]:
            self._solver.add(self.raw.translate(formula, self.proofs))
        self._position = len(self.permanent)
        self._solver.push()
        try:
            # permanent assertions & assumptions
            if self._solver.check([self._translated(literal) for literal in assumptions]) is not False:
                return []
            return [self._returned(lemma) for lemma in farkas_lemmas(self._solver)]
        finally:
            self._solver.pop()

    def _translated(self, literal: Term) -> Term:
        known = self._there.get(literal)
        if known is None:
            known = self._there[literal] = self.raw.translate(literal, self.proofs)
        return known

    def _returned(self, lemma: FarkasLemma) -> FarkasLemma:
        return lemma._replace(facts=tuple(self.proofs.translate(fact, self.raw) for fact in lemma.facts))
