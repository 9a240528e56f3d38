"""Model-based projection over raw handles: z3's own, each result checked, with witness terms as the fall-back."""

from collections.abc import Collection, Sequence

import z3

from chcverify.terms.native.raw import Raw, RawError, RawModel, Sort, Term
from chcverify.terms.quantifiers.virtual_substitution import VirtualSubstitution


class Projector:
    """Cubes that imply `exists others. formula`. counts: how often each path gave the result."""

    def __init__(self, raw: Raw) -> None:
        self.raw, self.witnesses = raw, VirtualSubstitution(raw)
        self.counts = {"implicant": 0, "projection": 0, "witnesses": 0}
        self._variables: dict[Term, frozenset[Term]] = {}
        self._recursive: dict[Sort, bool] = {}

    def variables(self, term: Term) -> frozenset[Term]:
        """The constants of a term, remembered."""
        known = self._variables.get(term)
        if known is None:
            known = self._variables[term] = frozenset(self.raw.variables(term))
        return known

    def project(self, model: RawModel, parts: Sequence[Term], kept: Collection[Term]) -> list[Term]:
        """Literals over the kept constants that the model satisfies and whose conjunction implies exists others. parts.

        Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs (2014), section 5. The model must
        satisfy the parts. What z3 leaves in is replaced by terms.
        """
        raw = self.raw
        implicant = self._implicant(model, parts)
        bound = self._bound(implicant, kept)
        # z3 5.4 crashes when it projects some recursive datatypes: these variables are replaced first.
        datatypes = [v for v in bound if raw.sort_kind(v) == z3.Z3_DATATYPE_SORT and self._is_recursive(v)]
        if datatypes:
            implicant = self._without(model, implicant, datatypes)
            bound = self._bound(implicant, kept)
        if not bound:
            self.counts["implicant"] += 1
            return implicant
        try:
            result = model.project(bound, raw.conjunction(implicant))
            if model.holds(result):
                literals = self._literals(model, result)
                left = self._bound(literals, kept)
                self.counts["witnesses" if left else "projection"] += 1
                return self._without(model, literals, left) if left else literals
        except RawError:
            pass
        self.counts["witnesses"] += 1
        return self._without(model, implicant, bound)

    def _bound(self, literals: Sequence[Term], kept: Collection[Term]) -> list[Term]:
        return self.raw.in_order({v for literal in literals for v in self.variables(literal)}.difference(kept))

    def _is_recursive(self, variable: Term) -> bool:
        sort = self.raw.sort(variable)
        if sort not in self._recursive:
            self._recursive[sort] = is_recursive(self.raw.wrap(variable).sort())
        return self._recursive[sort]

    def _implicant(self, model: RawModel, parts: Sequence[Term]) -> list[Term]:
        return self.raw.conjuncts(model.extrapolate(self.raw.conjunction(parts)))

    def _without(self, model: RawModel, literals: Sequence[Term], variables: Collection[Term]) -> list[Term]:
        return self._literals(model, self.raw.conjunction(self.witnesses.eliminate(model, literals, variables)))

    def _literals(self, model: RawModel, formula: Term) -> list[Term]:
        """The conjuncts; for one that is no literal (as a disjunction), an implicant of it."""
        return self._implicant(model, [formula]) if formula != self.raw.true else []


def is_recursive(sort: z3.SortRef) -> bool:
    """True if the sort contains a sort whose values contain each other. (Lists and trees; not records.)"""
    finished: set[int] = set()
    path: list[tuple[z3.SortRef, list[z3.SortRef]]] = [(sort, _fields(sort))]
    while path:
        current, fields = path[-1]
        if not fields:
            finished.add(current.get_id())
            path.pop()
            continue
        field = fields.pop()
        if any(field.eq(above) for above, _ in path):
            return True
        if field.get_id() not in finished:
            path.append((field, _fields(field)))
    return False


def _fields(sort: z3.SortRef) -> list[z3.SortRef]:
    """The sorts a value of the sort is made of: of a datatype's fields, of an array's index and elements."""
    if isinstance(sort, z3.ArraySortRef):
        return [sort.domain(), sort.range()]
    if not isinstance(sort, z3.DatatypeSortRef):
        return []
    makers = [sort.constructor(i) for i in range(sort.num_constructors())]
    return [maker.domain(i) for maker in makers for i in range(maker.arity())]
