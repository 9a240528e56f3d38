"""Facts about all elements of an array in words that people use: bounds by themselves, elements by cases.

forall k. (g1 & v1) | ... | (gn & vn), where no g reads an array, becomes facts without k and, for each v, one
forall k. g => v with a small g. That is checked to mean the same; otherwise the formula stays as it is.
"""

import time
from collections.abc import Iterable, Sequence

import z3

from chcverify.effort import MAX_COMPARED, MOMENT_MS
from chcverify.terms.core.irredundant import irredundant
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, has_quantifier, subterms

_ORDERS = frozenset({z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ})


def by_cases(formula: z3.BoolRef, seconds: float = 0.5) -> list[z3.BoolRef]:
    """Formulas whose conjunction is equivalent to the given one; [formula] where there is nothing to gain, or no time.

    seconds: for all of it.
    """
    if not (z3.is_quantifier(formula) and formula.is_forall() and formula.num_vars() == 1):
        return [formula]
    index = z3.FreshConst(formula.var_sort(0), "k")
    body = z3.substitute_vars(formula.body(), index)
    if not (z3.is_int(index) and z3.is_or(body)) or has_quantifier(body):
        return [formula]
    quantified_conjuncts = _Cases(body, index, time.monotonic() + seconds).quantified_conjuncts()
    return [formula] if quantified_conjuncts is None else quantified_conjuncts


class _Cases:
    """body: what holds of each `index`. deadline: time.monotonic()."""

    def __init__(self, body: z3.BoolRef, index: z3.ArithRef, deadline: float) -> None:
        self.body, self.index, self.deadline = body, index, deadline
        parts = [conjuncts(case) for case in body.children()]
        self.cases = [([p for p in part if not _reads(p)], [p for p in part if _reads(p)]) for part in parts]

    def quantified_conjuncts(self) -> list[z3.BoolRef] | None:
        facts = self.facts()
        elements = self.elements(facts)
        # facts & (g => v for all of them) & ~body(k)
        if not self.refuted([*facts, *(z3.Implies(guard, value) for guard, value in elements), z3.Not(self.body)]):
            return None
        return [*facts, *(z3.ForAll([self.index], z3.Implies(guard, value)) for guard, value in elements)]

    def facts(self) -> list[z3.BoolRef]:
        """The consequences of the instances at the terms that the index is compared with, of the guards without it."""
        instances = [z3.substitute(self.body, (self.index, term)) for term in self.terms()]
        candidates = {p.get_id(): p for guards, _ in self.cases for p in guards if not self.speaks(p)}
        # body(t1) & ... & body(tn) & ~candidate
        held = [c for c in candidates.values() if self.refuted([*instances, z3.Not(c)])]
        return irredundant(held, (), self.left())

    def elements(self, facts: Sequence[z3.BoolRef]) -> list[tuple[z3.BoolRef, z3.BoolRef]]:
        """(guard, value) of the cases that read an array, those of one value together if one guard does for them."""
        grouped: dict[int, tuple[z3.BoolRef, list[list[z3.BoolRef]]]] = {}
        for guards, values in self.cases:
            if values:
                value = conjunction(values)
                grouped.setdefault(value.get_id(), (value, []))[1].append(guards)
        out = []
        known = {fact.get_id() for fact in facts}
        for value, cases in grouped.values():
            common = self.common(cases, facts)
            # facts & body(k) & common & ~value
            together = self.refuted([*facts, self.body, *common, z3.Not(value)])
            for guards in [common] if together else cases:
                rest = [guard for guard in guards if guard.get_id() not in known]
                out.append((conjunction(irredundant(rest, facts, self.left())), value))
        return out

    def common(self, cases: Sequence[Sequence[z3.BoolRef]], facts: Iterable[z3.BoolRef]) -> list[z3.BoolRef]:
        """The guards of any case that hold in all of them."""
        guards = {guard.get_id(): guard for case in cases for guard in case}
        # facts & case & ~guard, for each case
        return [g for g in guards.values() if all(self.refuted([*facts, *case, z3.Not(g)]) for case in cases)]

    def terms(self) -> list[z3.ArithRef]:
        """Those that the index is compared with, and their neighbours."""
        others: dict[int, z3.ArithRef] = {}
        for guard in (guard for guards, _ in self.cases for guard in guards):
            for term in subterms(guard):
                if z3.is_app(term) and term.decl().kind() in _ORDERS:
                    sides = term.children()
                    for side, other in zip(sides, reversed(sides), strict=True):
                        if self.index.eq(side):
                            others[other.get_id()] = other
        near = [term + offset for term in others.values() if not self.speaks(term) for offset in (0, -1, 1)]
        return near[:MAX_COMPARED]

    def speaks(self, term: z3.ExprRef) -> bool:
        return any(variable.eq(self.index) for variable in free_variables(term))

    def refuted(self, formulas: Sequence[z3.BoolRef]) -> bool:
        if self.left() <= 0:
            return False
        solver = z3.SimpleSolver()
        solver.set("timeout", max(1, int(min(MOMENT_MS, 1000 * self.left()))))
        solver.add(*formulas)
        return bool(solver.check() == z3.unsat)

    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())


def _reads(term: z3.ExprRef) -> bool:
    return any(z3.is_select(part) for part in subterms(term))
