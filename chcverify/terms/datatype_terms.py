"""Terms of algebraic data types: their constructors and fields, and equations about them."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import conjuncts, defined_variable, substitute


def is_datatype(term: z3.ExprRef) -> bool:
    """True for a term of a datatype."""
    return bool(term.sort().kind() == z3.Z3_DATATYPE_SORT)


def is_enumeration(sort: z3.SortRef) -> bool:
    """True for a datatype whose constructors have no arguments."""
    return all(sort.constructor(i).arity() == 0 for i in range(sort.num_constructors()))


def is_unary(sort: z3.SortRef) -> bool:
    """True for natural numbers in unary notation: one constant, and one constructor of a number's successor."""
    if not isinstance(sort, z3.DatatypeSortRef) or sort.num_constructors() != 2:
        return False
    zero, successor = sorted((sort.constructor(i) for i in (0, 1)), key=lambda constructor: constructor.arity())
    return zero.arity() == 0 and successor.arity() == 1 and successor.domain(0) == sort


def constructor_number(term: z3.ExprRef) -> int | None:
    """The number of the constructor that the term is built by; None if it is built by none."""
    if not z3.is_app_of(term, z3.Z3_OP_DT_CONSTRUCTOR):
        return None
    sort, function = term.sort(), term.decl()
    return next(i for i in range(sort.num_constructors()) if sort.constructor(i).eq(function))


def fields(sort: z3.DatatypeSortRef, number: int, term: z3.ExprRef) -> list[z3.ExprRef]:
    """The accessors of the constructor of this number, applied to the term."""
    return [sort.accessor(number, i)(term) for i in range(sort.constructor(number).arity())]


def clamped(value: z3.ArithRef, low: int | None, high: int | None) -> z3.ArithRef:
    """The value, or the nearest bound."""
    if high is not None:
        value = z3.If(value <= high, value, z3.IntVal(high))
    return value if low is None else z3.If(value >= low, value, z3.IntVal(low))


def solved(constraint: z3.BoolRef, terms: Sequence[z3.ExprRef]) -> tuple[z3.BoolRef, list[z3.ExprRef]]:
    """The constraint and the terms with variables of datatypes replaced where an equation of the constraint gives them.

    Equations of two terms that are built by constructors become equations of their arguments.
    """
    terms = list(terms)
    while True:
        constraint = z3.simplify(constraint)
        pair = next((pair for part in conjuncts(constraint) if (pair := _datatype_definition(part)) is not None), None)
        if pair is None:
            return constraint, terms
        constraint = substitute(constraint, [pair])
        terms = [z3.simplify(substitute(term, [pair])) for term in terms]


def _datatype_definition(part: z3.BoolRef) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """A variable of a datatype and the term that it equals."""
    return defined_variable(part) if z3.is_eq(part) and is_datatype(part.arg(0)) else None
