"""Comparisons of numbers, by the kinds of z3's functions."""

import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.value_sets import Pieces

ORDERS = (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT)
SWAPPED = {
    z3.Z3_OP_LE: z3.Z3_OP_GE,
    z3.Z3_OP_LT: z3.Z3_OP_GT,
    z3.Z3_OP_GE: z3.Z3_OP_LE,
    z3.Z3_OP_GT: z3.Z3_OP_LT,
}
DENIED = {
    z3.Z3_OP_LE: z3.Z3_OP_GT,
    z3.Z3_OP_LT: z3.Z3_OP_GE,
    z3.Z3_OP_GE: z3.Z3_OP_LT,
    z3.Z3_OP_GT: z3.Z3_OP_LE,
    z3.Z3_OP_EQ: z3.Z3_OP_DISTINCT,
    z3.Z3_OP_DISTINCT: z3.Z3_OP_EQ,
}
BIT_ORDERS = {
    z3.Z3_OP_ULEQ: (z3.Z3_OP_LE, False),
    z3.Z3_OP_ULT: (z3.Z3_OP_LT, False),
    z3.Z3_OP_UGEQ: (z3.Z3_OP_GE, False),
    z3.Z3_OP_UGT: (z3.Z3_OP_GT, False),
    z3.Z3_OP_SLEQ: (z3.Z3_OP_LE, True),
    z3.Z3_OP_SLT: (z3.Z3_OP_LT, True),
    z3.Z3_OP_SGEQ: (z3.Z3_OP_GE, True),
    z3.Z3_OP_SGT: (z3.Z3_OP_GT, True),
}


def restricted(one: Pieces, relation: int, other: Pieces) -> Pieces:
    """The numbers of one that are in the relation with some number of the other."""
    match relation:
        case z3.Z3_OP_EQ:
            return value_sets.meet(one, other)
        case z3.Z3_OP_DISTINCT:
            number = value_sets.constant(other)
            return one if number is None else value_sets.without(one, number)
        case z3.Z3_OP_LE | z3.Z3_OP_LT:
            return value_sets.below(one, other, relation == z3.Z3_OP_LT)
        case _:
            return value_sets.above(one, other, relation == z3.Z3_OP_GT)
