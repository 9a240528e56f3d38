"""What is known of the numbers of any term of a datatype: that some constructor gives them, from some numbers.

A variable's components are related even where no clause takes the term apart: where the size is 0, a list is empty, and
all its other folds have their values for the empty list. These relations are instances of the folds' definitions for
the term, so certificates need no induction to show them.
"""

from collections.abc import Sequence

import z3

from chcverify.effort import MAX_COMPARED, MOMENT_MS
from chcverify.terms.core.irredundant import follows
from chcverify.terms.core.traversal import conjunction, conjuncts, disjunction, substitute, subterms
from chcverify.terms.quantifiers.elimination import eliminate
from chcverify.transforms.abstractions.catamorphisms.components import DatatypeSlot, Template, case_value


class PossibleValues:
    """The relations of a template, each computed once."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._ghost = tuple(z3.FreshInt("ghost") for _ in range(template.ghosts))
        self._known: dict[int, tuple[list[z3.ArithRef], z3.BoolRef]] = {}

    def relation(
        self, sort: z3.DatatypeSortRef, ghost: Sequence[z3.ArithRef], values: Sequence[z3.ArithRef]
    ) -> z3.BoolRef:
        """What holds of the components' values for a term, those with parameters for this ghost."""
        if sort.get_id() not in self._known:
            self._known[sort.get_id()] = self._computed(sort)
        formals, formula = self._known[sort.get_id()]
        pairs = [*zip(self._ghost, ghost, strict=False), *zip(formals, values, strict=True)]
        return substitute(formula, pairs)

    def _slots(self, sort: z3.SortRef) -> list[DatatypeSlot]:
        return [DatatypeSlot(c, self._ghost[: c.parameters]) for c in self._template.of_sort(sort)]

    def _computed(self, sort: z3.DatatypeSortRef) -> tuple[list[z3.ArithRef], z3.BoolRef]:
        slots = self._slots(sort)
        formals = [z3.FreshInt("value") for _ in slots]
        bounds = [slot.bounds(formal) for slot, formal in zip(slots, formals, strict=True)]
        if len(slots) < 2:
            return formals, conjunction(bounds)
        cases = [self._case(sort, number, slots, formals) for number in range(sort.num_constructors())]
        known = conjunction(bounds)
        cases = [conjunction(part for part in conjuncts(case) if not follows(known, part)) for case in cases]
        return formals, conjunction([*bounds, disjunction(cases)])

    def _case(
        self, sort: z3.DatatypeSortRef, number: int, slots: Sequence[DatatypeSlot], formals: Sequence[z3.ArithRef]
    ) -> z3.BoolRef:
        """The values that the constructor of this number gives; all where elimination does not find them."""
        constructor = sort.constructor(number)
        arguments: list[z3.ExprRef | Sequence[z3.ArithRef]] = []
        below: list[Sequence[DatatypeSlot]] = []
        new: list[z3.ExprRef] = []
        parts: list[z3.BoolRef] = []
        for i in range(constructor.arity()):
            domain = constructor.domain(i)
            below.append(self._slots(domain))
            if not isinstance(domain, z3.DatatypeSortRef):
                field = z3.FreshConst(domain, "field")
                new.append(field)
                arguments.append(field)
                continue
            values = [z3.FreshInt("field") for _ in below[-1]]
            new += values
            arguments.append(values)
            parts += [slot.bounds(value) for slot, value in zip(below[-1], values, strict=True)]
        parts += [f == case_value(slot, number, arguments, below) for slot, f in zip(slots, formals, strict=True)]
        found = eliminate(new, conjunction(parts), MOMENT_MS)
        if found is None or sum(1 for _ in subterms(found)) > MAX_COMPARED:
            return z3.BoolVal(True)
        simplified: z3.BoolRef = z3.simplify(found)
        return simplified
