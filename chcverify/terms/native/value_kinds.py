"""The kinds of values: of numerals and of the functions that build values from values."""

import z3

FLOAT_NUMERALS = frozenset(
    {
        z3.Z3_OP_FPA_NUM,
        z3.Z3_OP_FPA_NAN,
        z3.Z3_OP_FPA_PLUS_INF,
        z3.Z3_OP_FPA_MINUS_INF,
        z3.Z3_OP_FPA_PLUS_ZERO,
        z3.Z3_OP_FPA_MINUS_ZERO,
    }
)
NUMERALS = frozenset({z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM, z3.Z3_OP_AGNUM, z3.Z3_OP_BNUM}) | FLOAT_NUMERALS
"""Constants that are values by themselves."""

CONSTRUCTORS = frozenset({z3.Z3_OP_STORE, z3.Z3_OP_CONST_ARRAY, z3.Z3_OP_DT_CONSTRUCTOR, z3.Z3_OP_FPA_FP})
"""Functions that make values of values."""
