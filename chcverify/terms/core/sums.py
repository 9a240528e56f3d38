"""Sums and products of any number of terms.

z3.Sum and z3.Product make `(+ x)` of one term, which is no SMT-LIB 2: other solvers refuse it.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import z3

T = TypeVar("T", bound=z3.ExprRef)


def sum_of(terms: Sequence[T]) -> T:
    """The sum of terms of one sort; the integer 0 for none."""
    return _combined(z3.Sum, terms, 0)


def product_of(terms: Sequence[T]) -> T:
    """The product of terms of one sort; the integer 1 for none."""
    return _combined(z3.Product, terms, 1)


def _combined(operator: Any, terms: Sequence[T], neutral: int) -> T:
    if not terms:
        return cast(T, z3.IntVal(neutral))
    return terms[0] if len(terms) == 1 else cast(T, operator(terms))
