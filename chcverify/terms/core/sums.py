"""Sums and products of any number of terms.

z3.Sum and z3.Product make `(+ x)` of one term, which is no SMT-LIB 2: other solvers refuse it.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import z3

T = TypeVar("T", bound=z3.ExprRef)


def sum_of(terms: Sequence[T]) -> T:
    """The sum of terms of one sort; the integer 0 for none."""
    return _combined(z3.Sum, z3.Z3_mk_add, terms, 0)


def product_of(terms: Sequence[T]) -> T:
    """The product of terms of one sort; the integer 1 for none."""
    return _combined(z3.Product, z3.Z3_mk_mul, terms, 1)


def _combined(operator: Any, of_numbers: Any, terms: Sequence[T], neutral: int) -> T:
    """of_numbers: the function of z3's C interface, which takes numbers without comparing the sorts of all of them."""
    if not terms:
        return cast(T, z3.IntVal(neutral))
    first = terms[0]
    if len(terms) == 1:
        return first
    if not isinstance(first, z3.ArithRef):
        return cast(T, operator(terms))
    handles = (z3.Ast * len(terms))(*[term.as_ast() for term in terms])
    return cast(T, z3.ArithRef(of_numbers(first.ctx_ref(), len(terms), handles), first.ctx))
