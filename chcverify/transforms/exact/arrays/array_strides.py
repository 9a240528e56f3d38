"""Array strides: where all indices are multiples of a number, cells are counted in steps of this number.

a[4 * i] becomes c[i], with c[k] = a[4 * k]. The other cells are read nowhere.
"""

from collections.abc import Sequence
from functools import partial
from math import gcd

import z3

from chcverify.horn.system import HornSystem
from chcverify.terms.core.sums import product_of, sum_of
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity
from chcverify.transforms.exact.arrays.array_classes import ArrayClasses, ArrayKey
from chcverify.transforms.exact.arrays.moved_cells import MovedCells, with_moved_cells


class ArrayStrides:
    """Divides the indices of arrays by the greatest number that divides all of them. Best behind `ArrayBases`."""

    name = "array strides"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.has_arrays:
            return system, Identity()
        work = work or PassContext(system)
        arena = work.arena
        classes = ArrayClasses(arena, work.clause_rows(system.clauses))
        strides = {
            key: stride
            for key, members in classes.members().items()
            if not classes.is_excluded(key) and (stride := _stride(arena, classes, members)) > 1
        }
        if not strides:
            return system, Identity()

        def quotient(_number: int, key: ArrayKey, index: ArenaTerm) -> ArenaTerm | None:
            return _quotient(arena, index, strides[key]) if key in strides else None

        after = with_moved_cells(system, work, classes, quotient)
        addresses = {
            predicate: {
                position: partial(_product, strides[key])
                for position in range(predicate.arity)
                if (key := classes.find((predicate.name, position))) in strides
            }
            for predicate in system.predicates
        }
        return after, MovedCells(system, addresses)


def _product(stride: int, _arguments: Sequence[z3.ExprRef], index: z3.ExprRef) -> z3.ExprRef:
    found: z3.ExprRef = stride * index
    return found


def _stride(arena: Arena, classes: ArrayClasses, members: Sequence[ArrayKey]) -> int:
    """The greatest number that divides all indices; 1 if it is not known."""
    found = 0
    for key in members:
        for index in classes.indices.get(key, ()):
            if found == 1 or not arena.is_integer(index):
                return 1
            found = gcd(found, *(factor for factor, _ in _summands(arena, index)))
    return found


def _summands(arena: Arena, index: ArenaTerm) -> list[tuple[int, z3.ArithRef]]:
    """The index as a sum of terms that are multiplied by numbers; the constant summand is a multiple of 1."""
    total = z3.simplify(arena.wrap(index), som=True)
    found: list[tuple[int, z3.ArithRef]] = []
    for term in total.children() if z3.is_add(total) else [total]:
        if z3.is_int_value(term):
            found.append((term.as_long(), z3.IntVal(1)))
        elif z3.is_mul(term) and z3.is_int_value(term.arg(0)):
            found.append((term.arg(0).as_long(), product_of(term.children()[1:])))
        else:
            found.append((1, term))
    return found


def _quotient(arena: Arena, index: ArenaTerm, stride: int) -> ArenaTerm:
    parts = [factor // stride * term for factor, term in _summands(arena, index)]
    return arena.handle(z3.simplify(sum_of(parts)))
