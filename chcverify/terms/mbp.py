"""Model-based projection over raw handles: z3's own, each result checked, with values as the fall-back."""

from collections.abc import Collection, Sequence

from chcverify.terms.raw import Raw, RawError, RawModel, Renaming, Term


class Projector:
    """Cubes that imply `exists others. formula`. counts: how often each path gave the result."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.counts = {"implicant": 0, "projection": 0, "values": 0}
        self._variables: dict[Term, frozenset[Term]] = {}

    def variables(self, term: Term) -> frozenset[Term]:
        """The constants of a term, remembered."""
        known = self._variables.get(term)
        if known is None:
            known = self._variables[term] = frozenset(self.raw.variables(term))
        return known

    def project(self, model: RawModel, parts: Sequence[Term], kept: Collection[Term]) -> list[Term]:
        """Literals over the kept constants that the model satisfies and whose conjunction implies exists others. parts.

        Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs (2014), section 5. The model must
        satisfy the parts. What z3 leaves in is replaced by its value in the model, which is a projection, too.
        """
        raw = self.raw
        implicant = self._implicant(model, parts)
        bound = sorted({v for literal in implicant for v in self.variables(literal)} - set(kept))
        if not bound:
            self.counts["implicant"] += 1
            return implicant
        try:
            result = model.project(bound, raw.conj(implicant))
            left = self.variables(result).difference(kept)
            if left:
                result = self._by_values(model, result, left)
            if model.holds(result):
                self.counts["projection"] += 1
                return self._literals(model, result)
        except RawError:
            pass
        self.counts["values"] += 1
        return self._literals(model, self._by_values(model, raw.conj(implicant), bound))

    def _implicant(self, model: RawModel, parts: Sequence[Term]) -> list[Term]:
        return self.raw.conjuncts(model.extrapolate(self.raw.conj(parts)))

    def _by_values(self, model: RawModel, formula: Term, variables: Collection[Term]) -> Term:
        values = Renaming(self.raw, [(v, model.eval(v)) for v in variables])
        return self.raw.simplify(values(formula))

    def _literals(self, model: RawModel, formula: Term) -> list[Term]:
        """The conjuncts; where one is no literal (say a disjunction), an implicant of it."""
        return self._implicant(model, [formula]) if formula != self.raw.true else []
