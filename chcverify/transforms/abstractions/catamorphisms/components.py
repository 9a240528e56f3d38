"""Components: numbers that stand for a term of a datatype, each the value of a fold within a range.

The value is the fold's, if that is within the range, else the nearest bound, and the fold's cases use only such values
of subterms. So the range holds of every value by its definition, and certificates need no induction to show it.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import cast

import z3

from chcverify.certificate.model import Fold
from chcverify.effort import QUESTION_RESOURCES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, substitute
from chcverify.terms.datatype_terms import clamped, fields

ZERO = z3.IntVal(0)


def as_number(term: z3.ExprRef) -> z3.ArithRef:
    """The same term, known to be an integer."""
    return cast(z3.ArithRef, term)


@dataclass(frozen=True, eq=False)
class FoldComponent:
    """fold: an integer function, whose parameters are integers. low, high: bounds of its values; None: no bound."""

    fold: Fold
    low: int | None = None
    high: int | None = None

    @property
    def sort(self) -> z3.DatatypeSortRef:
        """The datatype."""
        sort: z3.DatatypeSortRef = self.fold.formals[-1].sort()
        return sort

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return len(self.fold.formals) - 1

    def within(self, value: z3.ArithRef) -> z3.ArithRef:
        """The value, or the nearest bound."""
        return clamped(value, self.low, self.high)

    def of(self, term: z3.ExprRef, parameters: Sequence[z3.ExprRef] = ()) -> z3.ArithRef:
        """The component's value at a term of the datatype."""
        return self.within(self.fold.function(*parameters[: self.parameters], term))

    @cached_property
    def _staying(self) -> tuple[bool, ...]:
        """For each constructor, whether the case itself is always within the range."""
        return tuple(_is_within(self, case) for case in self.fold.cases)

    def stays(self, number: int) -> bool:
        """True if the fold's case of this number never leaves the range."""
        return self._staying[number]

    def bounds(self, value: z3.ArithRef) -> list[z3.BoolRef]:
        """That the value is within the range."""
        found = [] if self.low is None else [value >= self.low]
        return found if self.high is None else [*found, value <= self.high]


@dataclass(frozen=True)
class DatatypeSlot:
    """A component with values for its parameters."""

    component: FoldComponent
    parameters: tuple[z3.ArithRef, ...]

    def bounds(self, value: z3.ArithRef) -> z3.BoolRef:
        """That a value is within the component's range."""
        return conjunction(self.component.bounds(value))


def _is_within(component: FoldComponent, case: z3.ExprRef) -> bool:
    solver = z3.SimpleSolver()
    solver.set("rlimit", QUESTION_RESOURCES)
    # exists fields, parameters. the case is not within the range
    solver.add(z3.Not(conjunction(component.bounds(as_number(case)))))
    return bool(solver.check() == z3.unsat)


def new_function(name: str, parameters: int, sort: z3.SortRef) -> z3.FuncDeclRef:
    """An integer function of so many integers and a term of the datatype."""
    return z3.Function(name, *[z3.IntSort()] * parameters, sort, z3.IntSort())


def formals(parameters: int, sort: z3.SortRef) -> tuple[z3.ExprRef, ...]:
    """Formal arguments of such a function."""
    return (*(z3.Int(f"$p{i}") for i in range(parameters)), z3.Const("$x", sort))


def size_component(found: Sequence[FoldComponent]) -> FoldComponent | None:
    """The size among the components of a sort, which is the first of them if there is one."""
    first = found[0] if found else None
    is_size = first is not None and (first.parameters, first.low, first.high) == (0, 0, None)
    return first if is_size else None


@dataclass(frozen=True, eq=False)
class Template:
    """The components of each datatype, by the sort's get_id(). ghosts: the number of parameters at most."""

    components: dict[int, tuple[FoldComponent, ...]]
    ghosts: int = 0

    def of_sort(self, sort: z3.SortRef) -> tuple[FoldComponent, ...]:
        """The components of terms of this sort."""
        return self.components.get(sort.get_id(), ())

    def folds(self) -> tuple[Fold, ...]:
        """All folds."""
        return tuple(component.fold for found in self.components.values() for component in found)

    def size(self, sort: z3.SortRef) -> FoldComponent | None:
        """The component with the size of a term; None if there is none."""
        return size_component(self.of_sort(sort))

    def depends_on_ghosts(self, sort: z3.SortRef) -> bool:
        """True if some component of the sort has parameters."""
        return any(component.parameters for component in self.of_sort(sort))


def case_value(
    slot: DatatypeSlot,
    number: int,
    arguments: Sequence[z3.ExprRef | Sequence[z3.ArithRef]],
    slots: Sequence[Sequence[DatatypeSlot]],
) -> z3.ArithRef:
    """The slot's value at a term built by the constructor of this number.

    arguments: of the constructor, terms of datatypes as the values of `slots` (by argument).
    """
    fold = slot.component.fold
    *parameters, folded = fold.formals
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for field, argument, known in zip(fields(folded.sort(), number, folded), arguments, slots, strict=True):
        if isinstance(argument, z3.ExprRef):
            pairs.append((field, argument))
            continue
        for other, value in zip(known, argument, strict=True):
            count = other.component.parameters
            if count <= len(parameters) and all(
                a.eq(b) for a, b in zip(other.parameters, slot.parameters, strict=False)
            ):
                pairs.append((other.component.of(field, parameters[:count]), value))
    case = substitute(fold.cases[number], pairs)
    value = as_number(substitute(case, list(zip(parameters, slot.parameters, strict=True))))
    return value if slot.component.stays(number) else slot.component.within(value)
